/**
 * One executable: the proxy, and embedded GlassFish for its web application when a request needs
 * it.
 *
 * <p>{@link org.lrwp.server.ProxyServer} is the entry. This package knows how to boot, deploy, log
 * and stop in order; it knows nothing of LRWP. The web application's classes are on its class path;
 * of them it uses {@link org.lrwp.webapp.Proxy} with its listener, and what checks a configuration.
 */
@NullMarked
package org.lrwp.server;

import org.jspecify.annotations.NullMarked;
