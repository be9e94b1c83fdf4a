/**
 * Time for the engine: an injected clock and deadlines.
 *
 * <p>Entry type: {@link org.lrwp.engine.time.Deadlines}.
 */
@NullMarked
package org.lrwp.engine.time;

import org.jspecify.annotations.NullMarked;
