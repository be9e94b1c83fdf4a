/**
 * A module at work: its watched file, its management bean and its admin endpoint.
 *
 * <p>Entry type: {@link org.lrwp.runtime.operation.RunningModule}. This package knows neither the
 * proxy nor command lines.
 */
@NullMarked
package org.lrwp.runtime.operation;

import org.jspecify.annotations.NullMarked;
