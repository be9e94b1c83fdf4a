/**
 * Who may send how much, and when: token buckets in a tree, one timing wheel, fair shares.
 *
 * <p>Entry types: {@code RateLoop}, the thread, and {@code RateTree}, what it does. This package
 * knows nothing of files and requests.
 */
@NullMarked
package org.lrwp.download.rate;

import org.jspecify.annotations.NullMarked;
