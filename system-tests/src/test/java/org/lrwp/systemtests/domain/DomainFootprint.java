package org.lrwp.systemtests.domain;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a server's process holds of the machine.
 *
 * @param descriptors open files and sockets
 * @param listeners sockets that listen
 * @param threads how many of each name, numbers in names left out
 * @param loaders class loaders of web applications that are still reachable
 */
record DomainFootprint(long descriptors, long listeners, Map<String, Long> threads, long loaders) {
    DomainFootprint {
        threads = Map.copyOf(threads);
    }

    /** Kinds of threads of which there are at least so many more than before. */
    Map<String, Long> grownSince(DomainFootprint before, long atLeast) {
        Map<String, Long> grown = new TreeMap<>();
        threads.forEach(
                (name, count) -> {
                    long more = count - before.threads.getOrDefault(name, 0L);
                    if (more >= atLeast) {
                        grown.put(name, more);
                    }
                });
        return grown;
    }
}
