/**
 * The web application: reads the configuration, starts the engine, and puts the servlet in front of
 * it.
 *
 * <p>Entry types: {@link org.lrwp.webapp.ProxyApplication} in a container, {@link
 * org.lrwp.webapp.Proxy} in a server of its own.
 */
@NullMarked
package org.lrwp.webapp;

import org.jspecify.annotations.NullMarked;
