/**
 * LRWP 1 and 2: a connection is a slot, and has one request at a time.
 *
 * <p>Entry type: {@link org.lrwp.engine.peer.serial.Lrwp1Connection}. It does not know the other
 * wires.
 */
@NullMarked
package org.lrwp.engine.peer.serial;

import org.jspecify.annotations.NullMarked;
