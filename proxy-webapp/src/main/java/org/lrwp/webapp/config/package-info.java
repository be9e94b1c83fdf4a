/**
 * The proxy's keys and rules, where their values come from, and the records they become. What keys,
 * values and changes are is in {@code org.lrwp.runtime.configuration}.
 *
 * <p>Entry type: {@link org.lrwp.webapp.config.ConfigReader}. Of this module's packages it knows
 * none.
 */
@NullMarked
package org.lrwp.webapp.config;

import org.jspecify.annotations.NullMarked;
