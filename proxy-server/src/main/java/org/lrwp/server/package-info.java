/**
 * One executable: embedded GlassFish with the proxy's web application on board.
 *
 * <p>{@link org.lrwp.server.ProxyServer} is the entry. This package knows how to boot, deploy, log
 * and stop in order; it knows nothing of LRWP. The web application's classes are on its class path,
 * and of them it uses what checks a configuration.
 */
@NullMarked
package org.lrwp.server;

import org.jspecify.annotations.NullMarked;
