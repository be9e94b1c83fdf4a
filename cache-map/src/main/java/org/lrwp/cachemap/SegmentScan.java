package org.lrwp.cachemap;

import java.lang.foreign.MemorySegment;

/**
 * Walks the entries of one segment as they stand in the file, trusting nothing. It follows the
 * rings from tail to head; where an entry's head is damaged it looks for the next sound one. When
 * head and tail themselves are damaged it finds them again from the positions that the entries
 * name.
 */
final class SegmentScan {
    private final MemorySegment map;
    private final Rings rings;

    /** Hears what was found. */
    interface Finder {
        /** Hears of an entry with a sound head, in whatever state. */
        void entry(Ring ring, long at);

        /** Hears of bytes that are no entry. */
        void gap(Ring ring, long from, long to);
    }

    SegmentScan(MemorySegment map, Rings rings) {
        this.map = map;
        this.rings = rings;
    }

    /** Walks both rings; finds them again first when they are not sound. */
    void walk(boolean sound, Finder finder) {
        for (Ring ring : new Ring[] {rings.main(), rings.probation()}) {
            if (ring.length() == 0) {
                ring.set(0, 0);
                continue;
            }
            if (!sound) {
                findAgain(ring);
            }
            walk(ring, finder);
        }
    }

    private void walk(Ring ring, Finder finder) {
        long position = ring.tail();
        while (position < ring.head()) {
            int room = ring.toEnd(position);
            if (room < Entry.HEAD) {
                position += room;
                continue;
            }
            if (isSound(ring, position)) {
                long at = ring.address(position);
                finder.entry(ring, at);
                position += Entry.size(map, at);
            } else {
                long next = nextSound(ring, position);
                finder.gap(ring, position, next);
                position = next;
            }
        }
    }

    private boolean isSound(Ring ring, long position) {
        int room = (int) Math.min(ring.toEnd(position), ring.head() - position);
        return Entry.isSound(map, ring.address(position), position, room);
    }

    private long nextSound(Ring ring, long position) {
        // A head that was being written says how long its entry is: what looks like an entry
        // within a value is none.
        long next = position + Entry.claimedSize(map, ring.address(position), position);
        if (next > position && goesOnAt(ring, next)) {
            return next;
        }
        next = position + Long.BYTES;
        while (next < ring.head() && !isSound(ring, next)) {
            next += Long.BYTES;
        }
        return next;
    }

    private boolean goesOnAt(Ring ring, long position) {
        int room = ring.toEnd(position);
        long next = room < Entry.HEAD ? position + room : position;
        return next == ring.head() || isSound(ring, next);
    }

    private void findAgain(Ring ring) {
        long head = 0;
        for (int place = 0; place + Entry.HEAD <= ring.length(); place += Long.BYTES) {
            long at = ring.address(place);
            long position = Entry.position(map, at);
            if (position >= 0
                    && position % ring.length() == place
                    && Entry.isSound(map, at, position, ring.length() - place)) {
                head = Math.max(head, position + Entry.size(map, at));
            }
        }
        ring.set(Math.max(0, head - ring.length()), head);
    }
}
