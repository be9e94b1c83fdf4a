/**
 * One request on its way: its life, what its client gets, and what happens when a peer fails it.
 *
 * <p>Entry type: {@link org.lrwp.engine.exchange.Exchange}. This package knows neither the servlet
 * API nor sockets; it talks to the client through {@link org.lrwp.engine.exchange.Client}.
 */
@NullMarked
package org.lrwp.engine.exchange;

import org.jspecify.annotations.NullMarked;
