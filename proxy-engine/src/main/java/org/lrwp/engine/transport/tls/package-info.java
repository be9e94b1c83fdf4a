/**
 * TLS around the links of any transport: docs/tls.md.
 *
 * <p>Entry type: {@link org.lrwp.engine.transport.tls.TlsAcceptor}. It knows nothing of LRWP but
 * the name that ALPN has for it.
 */
@NullMarked
package org.lrwp.engine.transport.tls;

import org.jspecify.annotations.NullMarked;
