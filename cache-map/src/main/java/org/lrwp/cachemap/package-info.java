/**
 * A cache in one mapped file: off heap, shared by all threads of a process, there again after a
 * restart or {@code kill -9}, and never with a wrong byte. The file is described byte by byte in
 * docs/cache-map.md.
 *
 * <p>Entry types: {@code CacheMap} and {@code CacheMapConfig}; {@code CacheFileInspector} looks at
 * a file from outside. This package uses the JDK and {@code lrwp-files} alone: no native access, no
 * internals, no threads of its own. It knows nothing of HTTP and of peers.
 */
@NullMarked
package org.lrwp.cachemap;

import org.jspecify.annotations.NullMarked;
