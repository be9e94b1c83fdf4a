/**
 * The HTTP request as a peer gets it: strict checks, the routing path, and the env block.
 *
 * <p>Shared by all fronts, so that the same request looks the same to a peer whatever brought it.
 * This package knows neither the servlet API nor peers.
 */
@NullMarked
package org.lrwp.engine.request;

import org.jspecify.annotations.NullMarked;
