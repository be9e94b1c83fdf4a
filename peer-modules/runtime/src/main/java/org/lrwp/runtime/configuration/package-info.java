/**
 * What can be set of a program or module: its keys, where each value comes from, and changes while
 * it runs.
 *
 * <p>Entry type: {@link org.lrwp.runtime.configuration.Configuration}. This package knows neither
 * command lines nor what any key is for.
 */
@NullMarked
package org.lrwp.runtime.configuration;

import org.jspecify.annotations.NullMarked;
