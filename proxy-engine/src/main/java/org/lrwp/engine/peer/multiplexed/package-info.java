/**
 * LRWP 3: a connection has as many slots as its peer says, and each is a stream.
 *
 * <p>Entry type: {@link org.lrwp.engine.peer.multiplexed.Lrwp3Connection}. It does not know the
 * other wires.
 */
@NullMarked
package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.NullMarked;
