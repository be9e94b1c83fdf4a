/**
 * Connections of peers and their slots: one request in flight each.
 *
 * <p>Entry type: {@link org.lrwp.engine.peer.PeerConnection}. This package does not know how a
 * context queues its requests: a freed slot asks for work through {@link
 * org.lrwp.engine.peer.WorkSource}.
 */
@NullMarked
package org.lrwp.engine.peer;

import org.jspecify.annotations.NullMarked;
