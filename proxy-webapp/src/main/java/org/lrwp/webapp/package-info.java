/**
 * The web application: reads the configuration, starts the engine, and puts the servlet in front of
 * it.
 *
 * <p>Entry type: {@link org.lrwp.webapp.ProxyApplication}.
 */
@NullMarked
package org.lrwp.webapp;

import org.jspecify.annotations.NullMarked;
