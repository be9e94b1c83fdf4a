package org.lrwp.cachemap;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Where things are in the file: docs/cache-map.md. All numbers are little-endian. */
final class Layout {
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Bytes of the file's head, and of its copy at the end. */
    static final int PAGE = 4096;

    /** Bytes of a segment's head. */
    static final int SEGMENT_HEAD = 128;

    /** The fields of a segment's head. */
    static final int SEQUENCE = 0;

    static final int RINGS_CHECK = 8;
    static final int RINGS = 16;
    static final int RING_FIELDS = 16;
    static final int COUNTERS = 64;

    private Layout() {}

    /** Returns the bytes of a segment that new entries have, when they have to prove themselves. */
    static int probation(int segmentSize, Eviction eviction) {
        return eviction == Eviction.GHOST ? align((segmentSize - SEGMENT_HEAD) / 10) : 0;
    }

    static int align(int bytes) {
        return (bytes + 7) & -8;
    }
}
