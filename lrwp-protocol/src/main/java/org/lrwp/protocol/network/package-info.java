/**
 * Networks that peers, proxies, clients and operators may come from.
 *
 * <p>Entry type: {@link org.lrwp.protocol.network.Network}. It asks no name service.
 */
@NullMarked
package org.lrwp.protocol.network;

import org.jspecify.annotations.NullMarked;
