/**
 * What the author of a peer uses: a handler, and the contexts it serves.
 *
 * <p>Entry type: {@code LrwpPeer}. Handlers run blocking, on virtual threads where the JVM has
 * them. This package knows nothing of the proxy but the wire.
 */
@NullMarked
package org.lrwp.sdk;

import org.jspecify.annotations.NullMarked;
