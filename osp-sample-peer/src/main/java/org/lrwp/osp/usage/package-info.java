/**
 * Usage: what was used of what had been allowed.
 *
 * <p>Entry type: {@link org.lrwp.osp.usage.UsageService}. This package knows nothing of HTTP and
 * keeps nothing but counts.
 */
@NullMarked
package org.lrwp.osp.usage;

import org.jspecify.annotations.NullMarked;
