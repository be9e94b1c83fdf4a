/**
 * The response cache that can stand in front of a context: RFC 9111, between matching a request and
 * asking for a peer.
 *
 * <p>Entry types: {@code Front}, what the HTTP side sees, and {@code ResponseCache}. This package
 * knows neither peers nor the servlet API; how a request reaches a peer is the business of who
 * gives it.
 */
@NullMarked
package org.lrwp.engine.cache;

import org.jspecify.annotations.NullMarked;
