/**
 * Routing: who asks, whether it may, and whereto its call goes.
 *
 * <p>Entry type: {@link org.lrwp.osp.routing.Routing}. This package knows nothing of messages and
 * tokens.
 */
@NullMarked
package org.lrwp.osp.routing;

import org.jspecify.annotations.NullMarked;
