package org.lrwp.cachemap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The entries of one segment and the rule by which they go. All methods want the segment's lock,
 * and those that change something an odd sequence.
 *
 * <p>What leaves the index is marked dead in the file in the same moment: whatever happens to the
 * segment's head later, no old value can come back.
 */
final class Rings {
    /** How many entries one put moves up at most; beyond that they go. */
    private static final int MOST_SPARED = 8;

    /** What the ends of an unused ring, zero both, are to the check. */
    private static final long NO_PROBATION = KeyHash.mix(KeyHash.mix(0, 1), 2);

    private static final long EMPTY = KeyHash.mix(KeyHash.mix(NO_PROBATION, 3), 4);

    private final MemorySegment map;
    private final long segment;
    private final FileHead file;
    private final Eviction eviction;
    private final Ring probation;
    private final Ring main;
    private final SlotIndex index;
    private final Ghosts ghosts = new Ghosts();

    Rings(MemorySegment map, long segment, FileHead file, Eviction eviction, SlotIndex index) {
        this.map = map;
        this.segment = segment;
        this.file = file;
        this.eviction = eviction;
        this.index = index;
        Ring[] rings = Ring.of(map, segment, file.segmentSize(), file.probation());
        probation = rings[0];
        main = rings[1];
    }

    Ring probation() {
        return probation;
    }

    Ring main() {
        return main;
    }

    long liveBytes() {
        return probation.live() + main.live();
    }

    long usedBytes() {
        return probation.head() - probation.tail() + main.head() - main.tail();
    }

    /** Returns the largest entry that has a place here. */
    int largestEntry() {
        return main.length() / 2 & -8;
    }

    /** Chooses the ring of a new entry, given the offset of the one it replaces, -1 for none. */
    Ring ringFor(long hash, int size, int replaced) {
        if (eviction != Eviction.GHOST || size > probation.length() / 4) {
            return main;
        }
        boolean known = ghosts.remove(hash);
        return known || replaced >= main.offset() ? main : probation;
    }

    /**
     * Says whether an entry may get another value where it is: one of the same size, as long as the
     * entry is in the younger half of its ring. An older one is better moved to the young end.
     *
     * <p>Looks at the file alone, where the ring's head is beside the sequence that each writer
     * needs, and not at the rings, which are elsewhere in the memory. Should that head be damaged,
     * the answer is wrong about the entry's age and about nothing else.
     *
     * @param segment where the segment starts
     * @param main where its main ring starts
     * @param end where it ends
     * @param at an entry that the index names; its head is not trusted
     * @param size bytes of the new entry
     */
    static boolean mayOverwrite(
            MemorySegment map, long segment, long main, long end, long at, int size) {
        boolean inMain = at >= main;
        long ringEnd = inMain ? end : main;
        long length = inMain ? end - main : main - segment - Layout.SEGMENT_HEAD;
        long position = Entry.position(map, at);
        long age = Ring.head(map, segment, inMain ? 1 : 0) - position;
        return age <= length / 2
                && Entry.isSound(map, at, position, (int) (ringEnd - at))
                && Entry.size(map, at) == size;
    }

    /**
     * Makes room at the head of a ring and tells the file that what went is gone.
     *
     * @return where the entry goes in the map; its position is the ring's head
     */
    long makeRoom(Ring ring, int size, long now) {
        int spare = eviction == Eviction.FIFO ? 0 : MOST_SPARED;
        while (!ring.hasRoom(size)) {
            if (evictOne(ring, spare > 0, now)) {
                spare--;
            }
        }
        ring.align(size);
        store();
        return ring.address(ring.head());
    }

    void pushed(Ring ring, int size) {
        ring.push(size);
        ring.addLive(size);
        store();
    }

    /** Marks an entry dead that the index does not name any more. */
    void kill(long at) {
        ringOf((int) (at - segment)).addLive(-Entry.size(map, at));
        Entry.kill(map, at);
    }

    void addRecovered(int code, byte flags, int size) {
        index.add(code, flags);
        ringOf(index.offsetOf(code)).addLive(size);
    }

    private Ring ringOf(int offset) {
        return offset >= main.offset() ? main : probation;
    }

    /** Forgets all entries. */
    void clear() {
        index.removeRange(0, file.segmentSize());
        main.empty();
        probation.empty();
        store();
    }

    /** Writes both rings and their check to the segment's head. */
    void store() {
        probation.store();
        main.store();
        map.set(Layout.LONG, segment + Layout.RINGS_CHECK, check(probation, main));
    }

    boolean isStored() {
        return main.isPlausible()
                && (probation.length() == 0
                        ? probation.head() == 0 && probation.tail() == 0
                        : probation.isPlausible())
                && map.get(Layout.LONG, segment + Layout.RINGS_CHECK) == check(probation, main);
    }

    private static long check(Ring probation, Ring main) {
        // With each put twice, so what never changes is not mixed again.
        long h = probation.length() == 0 ? NO_PROBATION : check(probation);
        h = KeyHash.mix(h ^ main.head(), 3);
        // All zero in a new file.
        return KeyHash.mix(h ^ main.tail(), 4) ^ EMPTY;
    }

    private static long check(Ring probation) {
        return KeyHash.mix(KeyHash.mix(probation.head(), 1) ^ probation.tail(), 2);
    }

    /** Takes one entry off the tail; returns whether it was spared. */
    private boolean evictOne(Ring ring, boolean maySpare, long now) {
        int room = ring.toEnd(ring.tail());
        if (room < Entry.HEAD) {
            ring.drop(room);
            return false;
        }
        long at = ring.address(ring.tail());
        if (!Entry.isSound(map, at, ring.tail(), room)) {
            drop(ring);
            return false;
        }
        int size = Entry.size(map, at);
        ring.drop(size);
        if (Entry.state(map, at) != Entry.LIVE) {
            return false;
        }
        long hash = file.hashOf(map, at);
        int code = index.code(index.tag(hash), (int) (at - segment));
        int slot = index.slotOf(code);
        if (slot < 0) {
            return false;
        }
        byte flags = index.table().flags()[slot];
        if (maySpare && (flags & SlotIndex.READ) != 0 && !Entry.isExpired(map, at, now)) {
            return spare(ring, at, size, slot, now);
        }
        index.remove(slot);
        kill(at);
        Counter.EVICTED.count(map, segment);
        if (ring == probation) {
            ghosts.add(hash, index.table().codes().length);
        }
        return false;
    }

    /** Moves an entry that has left its ring to the head of the main ring. */
    private boolean spare(Ring from, long at, int size, int slot, long now) {
        byte flags = (byte) (index.table().flags()[slot] & ~SlotIndex.READ);
        int tag = index.tag(file.hashOf(map, at));
        // Dead while it moves: the old place may be overwritten by the new one.
        index.remove(slot);
        kill(at);
        MemorySegment source = map;
        long sourceAt = at;
        if (from == main && main.padding(size) > 0) {
            // The fill entry before the new place, or whoever goes for it, may need the old one.
            source = MemorySegment.ofArray(map.asSlice(at, size).toArray(ValueLayout.JAVA_BYTE));
            sourceAt = 0;
        }
        if (from == main) {
            while (!main.hasRoom(size)) {
                evictOne(main, false, now);
            }
            main.align(size);
        } else {
            makeRoom(main, size, now);
        }
        long to = main.address(main.head());
        MemorySegment.copy(source, sourceAt, map, to, size);
        Entry.settle(map, to, main.head());
        main.push(size);
        main.addLive(size);
        index.add(index.code(tag, (int) (to - segment)), flags);
        Counter.SPARED.count(map, segment);
        return true;
    }

    /** Gives up a ring whose entries cannot be told apart any more. */
    private void drop(Ring ring) {
        index.removeRange(ring.offset(), ring.offset() + ring.length());
        ring.empty();
        Counter.DAMAGED.count(map, segment);
    }
}
