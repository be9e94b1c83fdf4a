/**
 * The configuration: its keys, where their values come from, and the records they become.
 *
 * <p>Entry type: {@link org.lrwp.webapp.config.ConfigReader}. Of this module's packages it knows
 * none.
 */
@NullMarked
package org.lrwp.webapp.config;

import org.jspecify.annotations.NullMarked;
