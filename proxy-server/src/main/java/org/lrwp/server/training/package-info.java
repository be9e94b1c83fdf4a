/**
 * The load of the training run from which the JVM's start cache is made.
 *
 * <p>Entry type: {@link org.lrwp.server.training.TrainingLoad}. This package knows nothing of the
 * server: it runs in a process of its own, so that what it executes is in no profile of the server.
 */
@NullMarked
package org.lrwp.server.training;

import org.jspecify.annotations.NullMarked;
