/**
 * The cache map beside other caches of the JVM: operations, hit ratio, and how long a file takes to
 * open.
 *
 * <p>Entry type: {@code CacheBench}.
 */
@NullMarked
package org.lrwp.bench.cache;

import org.jspecify.annotations.NullMarked;
