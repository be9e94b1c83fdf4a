/**
 * Certificates, keys and trust from PEM files, and how a peer uses them to dial its proxy inside
 * TLS.
 *
 * <p>Entry type: {@link org.lrwp.sdk.tls.PeerTls}.
 */
@NullMarked
package org.lrwp.sdk.tls;

import org.jspecify.annotations.NullMarked;
