/**
 * What an operator sees of a running proxy beyond the status page, and does to it: the runtime API
 * as JSON, who may act, and the commands.
 *
 * <p>Entry types: {@link org.lrwp.webapp.steering.Api} and {@link
 * org.lrwp.webapp.steering.Steering}. This package knows neither the container nor the console.
 */
@NullMarked
package org.lrwp.webapp.steering;

import org.jspecify.annotations.NullMarked;
