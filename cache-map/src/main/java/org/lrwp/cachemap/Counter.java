package org.lrwp.cachemap;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/** What each segment counts, in its head in the file. */
enum Counter {
    HITS(0, true),
    MISSES(1, true),
    PUTS(2, false),
    REMOVED(3, false),
    EVICTED(4, false),
    SPARED(5, false),
    EXPIRED(6, true),
    DAMAGED(7, false);

    private static final VarHandle LONG = Layout.LONG.varHandle();

    private final long offset;
    private final boolean ofReaders;

    /** Takes its number, and whether readers count it, who hold no lock. */
    Counter(int number, boolean ofReaders) {
        this.offset = Layout.COUNTERS + number * (long) Long.BYTES;
        this.ofReaders = ofReaders;
    }

    /** Adds one. Any thread where readers count, else with the segment's lock. */
    void count(MemorySegment map, long segment) {
        if (ofReaders) {
            LONG.getAndAdd(map, segment + offset, 1L);
        } else {
            // An atomic addition would wait until all bytes of the value are in the memory.
            LONG.setOpaque(map, segment + offset, value(map, segment) + 1);
        }
    }

    long value(MemorySegment map, long segment) {
        return (long) LONG.getOpaque(map, segment + offset);
    }
}
