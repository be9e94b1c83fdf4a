/**
 * What is at work, a module or a whole program: its watched file, its management bean and its admin
 * endpoint.
 *
 * <p>Entry types: {@link org.lrwp.runtime.operation.RunningModule}, and {@link
 * org.lrwp.runtime.operation.Operation} for a program that is more than a module. This package
 * knows neither the proxy nor command lines.
 */
@NullMarked
package org.lrwp.runtime.operation;

import org.jspecify.annotations.NullMarked;
