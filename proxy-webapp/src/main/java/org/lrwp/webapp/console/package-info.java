/**
 * The console: pages for people under {@code /-/}, made by the server, with buttons for whoever has
 * logged in.
 *
 * <p>Entry type: {@link org.lrwp.webapp.console.Console}. It sees and does what the runtime API
 * does, and knows neither the engine's inside nor the container.
 */
@NullMarked
package org.lrwp.webapp.console;

import org.jspecify.annotations.NullMarked;
