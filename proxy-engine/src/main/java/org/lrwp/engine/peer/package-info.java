/**
 * Connections of peers and their slots, whatever the wire: {@code serial} (LRWP 1 and 2, one
 * request at a time), {@code multiplexed} (LRWP 3) and {@code local} (a module in this process).
 *
 * <p>Entry type: {@link org.lrwp.engine.peer.PeerConnection}. This package does not know how a
 * context queues its requests: a freed slot asks for work through {@link
 * org.lrwp.engine.peer.WorkSource}. It does not know its wires either.
 */
@NullMarked
package org.lrwp.engine.peer;

import org.jspecify.annotations.NullMarked;
