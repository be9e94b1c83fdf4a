/**
 * Who sends a request, for modules that not everybody may change.
 *
 * <p>Entry types: {@link org.lrwp.runtime.caller.Caller}, {@link
 * org.lrwp.runtime.caller.HostNames}. This package knows neither modules nor what anybody may do.
 */
@NullMarked
package org.lrwp.runtime.caller;

import org.jspecify.annotations.NullMarked;
