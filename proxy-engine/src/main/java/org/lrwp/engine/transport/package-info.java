/**
 * The seam through which a connection gets its read and write events.
 *
 * <p>Entry type: {@link org.lrwp.engine.transport.Transport}. {@link
 * org.lrwp.engine.transport.SelectorTransport} is the engine's own; a front may bring its
 * container's. This package knows no protocol.
 */
@NullMarked
package org.lrwp.engine.transport;

import org.jspecify.annotations.NullMarked;
