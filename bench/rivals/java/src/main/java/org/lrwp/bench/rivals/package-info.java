/**
 * Reverse proxies of other makers, set up as their users would, to measure ours against. They are
 * never part of what runs.
 */
@NullMarked
package org.lrwp.bench.rivals;

import org.jspecify.annotations.NullMarked;
