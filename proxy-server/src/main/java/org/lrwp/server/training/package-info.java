/**
 * The load of the training run from which the JVM's start cache is made, and of the warm-up of each
 * start.
 *
 * <p>Entry type: {@link org.lrwp.server.training.TrainingLoad}. This package knows nothing of the
 * server: in the training run it is a process of its own, so that what it executes is hardly in the
 * profile of the server.
 */
@NullMarked
package org.lrwp.server.training;

import org.jspecify.annotations.NullMarked;
