/**
 * Modules in this process, which are peers without a wire: their buffers and files are lent.
 *
 * <p>Entry type: {@link org.lrwp.engine.peer.local.LocalConnection}. It does not know the other
 * wires.
 */
@NullMarked
package org.lrwp.engine.peer.local;

import org.jspecify.annotations.NullMarked;
