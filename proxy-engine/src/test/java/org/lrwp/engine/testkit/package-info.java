/**
 * Fakes for the engine's tests: time that is moved by hand, connections in memory, clients that
 * write down what they get.
 *
 * <p>Entry type: {@link org.lrwp.engine.testkit.TestEngine}. Nothing here opens a socket or waits.
 */
@NullMarked
package org.lrwp.engine.testkit;

import org.jspecify.annotations.NullMarked;
