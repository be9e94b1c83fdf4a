/**
 * Networks that peers, proxies and operators may come from.
 *
 * <p>Entry type: {@link org.lrwp.engine.network.Network}.
 */
@NullMarked
package org.lrwp.engine.network;

import org.jspecify.annotations.NullMarked;
