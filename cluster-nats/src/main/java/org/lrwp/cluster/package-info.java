/**
 * Several proxies as a cluster: each tells the others what it has, and a request that finds no free
 * slot here goes to a proxy that has one. docs/cluster.md.
 *
 * <p>Entry type: {@link org.lrwp.cluster.Cluster}. What goes between the nodes is in {@link
 * org.lrwp.cluster.Message}; which node gets a request is decided in {@link
 * org.lrwp.cluster.OverflowDecision}, without I/O and clock. Of NATS only {@link
 * org.lrwp.cluster.NatsBus} knows; the engine knows nothing of this package.
 */
@NullMarked
package org.lrwp.cluster;

import org.jspecify.annotations.NullMarked;
