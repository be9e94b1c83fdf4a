/**
 * What a module is: a handler of the SDK with keys and figures, that runs inside the proxy or as a
 * program of its own.
 *
 * <p>Entry type: {@link org.lrwp.runtime.module.ModuleProvider}. This package knows neither the
 * proxy nor command lines.
 */
@NullMarked
package org.lrwp.runtime.module;

import org.jspecify.annotations.NullMarked;
