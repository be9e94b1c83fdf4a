package org.lrwp.cachemap;

import java.lang.foreign.MemorySegment;

/**
 * Builds the index of one segment from what the file holds, and makes the segment whole again: a
 * damaged stretch becomes a fill entry, so that the rings can be walked again.
 */
final class SegmentRecovery implements SegmentScan.Finder {
    private final MemorySegment map;
    private final int number;
    private final FileHead file;
    private final Rings rings;
    private final SlotIndex index;
    private final long now;
    private boolean verify;
    private int kept;
    private int expired;
    private int dropped;
    private int damaged;

    SegmentRecovery(
            MemorySegment map, int number, FileHead file, Rings rings, SlotIndex index, long now) {
        this.map = map;
        this.number = number;
        this.file = file;
        this.rings = rings;
        this.index = index;
        this.now = now;
    }

    /** Recovers the segment. */
    RecoveryReport.Counts run() {
        long segment = file.segmentAddress(number);
        long sequence = map.get(Layout.LONG, segment + Layout.SEQUENCE);
        boolean sound = rings.isStored();
        verify = !sound || (sequence & 1) != 0;
        // Odd while it is repaired: who dies here leaves it to be repaired again.
        map.set(Layout.LONG, segment + Layout.SEQUENCE, sequence | 1);
        new SegmentScan(map, rings).walk(sound, this);
        rings.store();
        map.set(Layout.LONG, segment + Layout.SEQUENCE, (sequence | 1) + 1);
        return new RecoveryReport.Counts(kept, expired, dropped, damaged, verify ? 1 : 0);
    }

    @Override
    public void entry(Ring ring, long at) {
        if (Entry.state(map, at) != Entry.LIVE) {
            return;
        }
        long hash = file.hashOf(map, at);
        if (file.segmentOf(hash) != number || (verify && !Entry.isWhole(map, at))) {
            Entry.kill(map, at);
            dropped++;
        } else if (Entry.isExpired(map, at, now)) {
            Entry.kill(map, at);
            expired++;
        } else {
            keep(at, hash);
        }
    }

    private void keep(long at, long hash) {
        int offset = (int) (at - file.segmentAddress(number));
        int code = index.code(index.tag(hash), offset);
        byte flags = verify ? 0 : SlotIndex.UNVERIFIED;
        int older = olderSlot(at, hash);
        if (older >= 0) {
            // A put had written the new value and not yet taken back the old one.
            rings.kill(file.segmentAddress(number) + index.offsetOf(index.table().codes()[older]));
            index.remove(older);
            kept--;
        }
        rings.addRecovered(code, flags, Entry.size(map, at));
        kept++;
    }

    private int olderSlot(long at, long hash) {
        SlotIndex.Table table = index.table();
        int tag = index.tag(hash);
        for (int slot = index.home(table, tag); table.codes()[slot] != 0; slot = table.next(slot)) {
            int code = table.codes()[slot];
            if (index.tagOf(code) == tag
                    && sameKey(file.segmentAddress(number) + index.offsetOf(code), at)) {
                return slot;
            }
        }
        return -1;
    }

    private boolean sameKey(long one, long other) {
        int length = Entry.keyLength(map, one);
        return Entry.key(map, one) == Entry.key(map, other)
                && length == Entry.keyLength(map, other)
                && MemorySegment.mismatch(
                                map,
                                one + Entry.HEAD,
                                one + Entry.HEAD + length,
                                map,
                                other + Entry.HEAD,
                                other + Entry.HEAD + length)
                        < 0;
    }

    @Override
    public void gap(Ring ring, long from, long to) {
        if (from != ring.tail()) {
            damaged++;
            fill(ring, from, to);
        } else {
            // When the tail had to be guessed, it was guessed too low.
            damaged += verify ? 0 : 1;
            ring.set(to, ring.head());
        }
    }

    private void fill(Ring ring, long from, long to) {
        long position = from;
        while (position < to) {
            int bytes = (int) Math.min(ring.toEnd(position), to - position);
            if (bytes >= Entry.HEAD) {
                Entry.writeFill(map, ring.address(position), position, bytes);
            }
            position += bytes;
        }
    }
}
