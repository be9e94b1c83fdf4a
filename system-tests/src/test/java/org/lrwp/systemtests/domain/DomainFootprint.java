package org.lrwp.systemtests.domain;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a server's process holds of the machine.
 *
 * @param descriptors open files and sockets
 * @param listeners sockets that listen
 * @param threads how many of each name, numbers in names left out
 * @param loaders class loaders of web applications that are still reachable
 */
record DomainFootprint(long descriptors, long listeners, Map<String, Long> threads, long loaders) {
    private static final String OURS = "lrwp-";

    /** Of the listeners and the kernel; the virtual machine's compilers, collectors and RMI. */
    private static final Pattern FIXED_POOLS =
            Pattern.compile(
                    "(http-listener|admin-listener|RunLevelControllerThread|C# |G# |GC |RMI ).*");

    DomainFootprint {
        threads = Map.copyOf(threads);
    }

    /** Threads that the proxy has started; it names each of them. */
    Map<String, Long> ownThreads() {
        Map<String, Long> own = new TreeMap<>(threads);
        own.keySet().removeIf(name -> !name.startsWith(OURS));
        return own;
    }

    /**
     * Kinds of other threads of which there are at least so many more than before, without those of
     * a fixed number that is only reached with use.
     */
    Map<String, Long> containerGrowth(DomainFootprint before, long atLeast) {
        Map<String, Long> grown = new TreeMap<>();
        threads.forEach(
                (name, count) -> {
                    long more = count - before.threads.getOrDefault(name, 0L);
                    if (more >= atLeast
                            && !name.startsWith(OURS)
                            && !FIXED_POOLS.matcher(name).matches()) {
                        grown.put(name, more);
                    }
                });
        return grown;
    }
}
