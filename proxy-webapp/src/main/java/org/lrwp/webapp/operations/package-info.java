/**
 * What operators see: status, health, and the access log. Reads the engine, never changes it.
 *
 * <p>Entry types: {@link org.lrwp.webapp.operations.OperationsPages} and {@link
 * org.lrwp.webapp.operations.AccessLog}.
 */
@NullMarked
package org.lrwp.webapp.operations;

import org.jspecify.annotations.NullMarked;
