/**
 * The pieces of a request alone: JMH benchmarks, compiled with everything else so that they do not
 * rot, run by {@code bench/run jmh}. They use the engine's public types only.
 */
@NullMarked
package org.lrwp.bench.jmh;

import org.jspecify.annotations.NullMarked;
