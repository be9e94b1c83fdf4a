/**
 * The image store: small files under decimal ids, kept in a cache map and served over HTTP by the
 * SDK's asynchronous interface.
 *
 * <p>Entry types: {@code ImageStoreProvider} for the proxy and for programs, {@code CachePeer} for
 * the command line. This package does not know whether it runs inside the proxy.
 */
@NullMarked
package org.lrwp.cache;

import org.jspecify.annotations.NullMarked;
