/**
 * How many calls a minute this server handles, counted and reported.
 *
 * <p>Entry types: {@link org.lrwp.osp.statistics.CallCounters} and {@link
 * org.lrwp.osp.statistics.CallReport}. This package knows nothing of messages.
 */
@NullMarked
package org.lrwp.osp.statistics;

import org.jspecify.annotations.NullMarked;
