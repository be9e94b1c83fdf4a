/**
 * Contexts: which connections serve them, what waits for them, and which of them a request belongs
 * to.
 *
 * <p>Entry type: {@link org.lrwp.engine.context.ContextAssistantManager}. This package knows no
 * wire.
 */
@NullMarked
package org.lrwp.engine.context;

import org.jspecify.annotations.NullMarked;
