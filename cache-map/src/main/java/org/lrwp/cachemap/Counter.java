package org.lrwp.cachemap;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/** What each segment counts, in its head in the file. */
enum Counter {
    HITS(0),
    MISSES(1),
    PUTS(2),
    REMOVED(3),
    EVICTED(4),
    SPARED(5),
    EXPIRED(6),
    DAMAGED(7);

    private static final VarHandle LONG = Layout.LONG.varHandle();

    private final long offset;

    Counter(int number) {
        offset = Layout.COUNTERS + number * (long) Long.BYTES;
    }

    /** Adds one. Any thread. */
    void count(MemorySegment map, long segment) {
        LONG.getAndAdd(map, segment + offset, 1L);
    }

    long value(MemorySegment map, long segment) {
        return (long) LONG.getOpaque(map, segment + offset);
    }
}
