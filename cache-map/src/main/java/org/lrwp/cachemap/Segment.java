package org.lrwp.cachemap;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * One segment of the map: rings of entries in the file, an index of them on the heap.
 *
 * <pre>
 *   writer    lock, sequence odd, change, sequence even, unlock
 *   reader    sequence even?  look, copy  sequence the same?  else again; after 4 times with the lock
 * </pre>
 *
 * <p>A reader holds nothing and waits for nobody. What it sees between its two looks at the
 * sequence may be nonsense: each length is checked against the sequence before anything is done
 * with it. The sequence stands in the file: a process that dies while it is odd leaves word that
 * this segment has to be rebuilt.
 *
 * <p>Any thread may call any method.
 */
final class Segment {
    private static final int TRIES = 4;
    private static final VarHandle SEQUENCE = Layout.LONG.varHandle();

    private final MemorySegment map;
    private final long start;
    private final long main;
    private final long end;
    private final boolean everyRead;
    private final int largestContent;
    private final SlotIndex index;
    private final Rings rings;
    private final ReentrantLock lock = new ReentrantLock();

    Segment(MemorySegment map, int number, FileHead file, CacheMapConfig config) {
        this.map = map;
        this.start = file.segmentAddress(number);
        this.main = start + Layout.SEGMENT_HEAD + file.probation();
        this.end = start + file.segmentSize();
        this.everyRead = config.verification() == Verification.EVERY_READ;
        this.index = new SlotIndex(file.segmentSize());
        this.rings = new Rings(map, start, file, config.eviction(), index);
        this.largestContent = rings.largestEntry() - Entry.HEAD;
    }

    /** Fills the index from the file; before anybody else sees this segment. */
    RecoveryReport.Counts recover(int number, FileHead file, long now) {
        return new SegmentRecovery(map, number, file, rings, index, now).run();
    }

    // --- Reading ------------------------------------------------------------------------------

    /** Copies a value; returns whether there is one. */
    boolean read(Key key, Reading to, long now) {
        for (int i = 0; i < TRIES; i++) {
            long sequence = (long) SEQUENCE.getAcquire(map, start);
            if ((sequence & 1) != 0) {
                Thread.onSpinWait();
                continue;
            }
            SlotIndex.Table table = index.table();
            int slot = find(table, key);
            if (slot < 0) {
                if (isUnchanged(sequence)) {
                    return miss();
                }
                continue;
            }
            byte flags = table.flags()[slot];
            if (everyRead || (flags & SlotIndex.UNVERIFIED) != 0) {
                break;
            }
            long at = start + index.offsetOf(table.codes()[slot]);
            int length = Entry.valueLength(map, at);
            boolean expired = Entry.isExpired(map, at, now);
            if (!isUnchanged(sequence)) {
                continue;
            }
            if (expired) {
                return expiredMiss();
            }
            to.copy(map, at + Entry.HEAD + key.length(), length);
            if (isUnchanged(sequence)) {
                if ((flags & SlotIndex.READ) == 0) {
                    table.flags()[slot] = (byte) (flags | SlotIndex.READ);
                }
                Counter.HITS.count(map, start);
                return true;
            }
        }
        return Boolean.TRUE.equals(
                look(
                        key,
                        now,
                        (at, length) -> {
                            to.copy(map, at, length);
                            return true;
                        }));
    }

    /** Shows a value under the lock; returns null when there is none. */
    <T extends @Nullable Object> @Nullable T visit(Key key, long now, EntryVisitor<T> visitor) {
        return look(
                key,
                now,
                (at, length) -> {
                    long head = at - Entry.HEAD - key.length();
                    return visitor.visit(
                            map.asSlice(at, length).asReadOnly(),
                            Instant.ofEpochSecond(Entry.written(map, head)));
                });
    }

    private interface Look<T extends @Nullable Object> {
        T at(long address, int length);
    }

    private <T extends @Nullable Object> @Nullable T look(Key key, long now, Look<T> look) {
        lock.lock();
        try {
            SlotIndex.Table table = index.table();
            int slot = find(table, key);
            if (slot < 0) {
                miss();
                return null;
            }
            long at = start + index.offsetOf(table.codes()[slot]);
            if (Entry.isExpired(map, at, now)) {
                expiredMiss();
                return null;
            }
            if ((everyRead || (table.flags()[slot] & SlotIndex.UNVERIFIED) != 0) && !isWhole(at)) {
                Counter.DAMAGED.count(map, start);
                change(() -> drop(slot, at));
                miss();
                return null;
            }
            table.flags()[slot] = SlotIndex.READ;
            Counter.HITS.count(map, start);
            return look.at(at + Entry.HEAD + key.length(), Entry.valueLength(map, at));
        } finally {
            lock.unlock();
        }
    }

    private boolean isWhole(long at) {
        return Entry.isSound(map, at, Entry.position(map, at), (int) (end - at))
                && Entry.isWhole(map, at);
    }

    private int find(SlotIndex.Table table, Key key) {
        int tag = index.tag(key.hash());
        int slot = index.home(table, tag);
        for (int i = 0; i < table.codes().length; i++) {
            int code = table.codes()[slot];
            if (code == 0) {
                return -1;
            }
            if (index.tagOf(code) == tag && key.isAt(map, start + index.offsetOf(code), end)) {
                return slot;
            }
            slot = table.next(slot);
        }
        return -1;
    }

    private boolean isUnchanged(long sequence) {
        VarHandle.acquireFence();
        return (long) SEQUENCE.getOpaque(map, start) == sequence;
    }

    private boolean miss() {
        Counter.MISSES.count(map, start);
        return false;
    }

    private boolean expiredMiss() {
        Counter.EXPIRED.count(map, start);
        return miss();
    }

    // --- Writing ------------------------------------------------------------------------------

    /**
     * Writes a value.
     *
     * @param wanted null for always, else whether there has to be an entry
     */
    PutResult put(Key key, Value value, @Nullable Boolean wanted) {
        long content = (long) key.length() + value.length();
        if (content > largestContent) {
            throw new IllegalArgumentException(
                    "key and value of %d bytes are more than %d"
                            .formatted(content, largestContent));
        }
        lock.lock();
        try {
            int slot = find(index.table(), key);
            long at = slot < 0 ? -1 : start + index.offsetOf(index.table().codes()[slot]);
            boolean present = slot >= 0 && !Entry.isExpired(map, at, value.now());
            if (wanted != null && wanted != present) {
                return PutResult.REFUSED;
            }
            int size = Entry.size(key.length(), value.length());
            boolean stays = slot >= 0 && Rings.mayOverwrite(map, start, main, end, at, size);
            long sequence = beginChange();
            boolean done = false;
            try {
                if (stays) {
                    overwrite(key, value, slot, at);
                } else {
                    append(key, value, size, slot);
                }
                done = true;
            } finally {
                endChange(sequence, done);
            }
            Counter.PUTS.count(map, start);
            return present ? PutResult.REPLACED : PutResult.ADDED;
        } finally {
            lock.unlock();
        }
    }

    /** Writes a value where the one before is; nothing else has to go or to be looked for. */
    private void overwrite(Key key, Value value, int slot, long at) {
        // Whoever dies here leaves neither of the two, and a head that says how long the entry is.
        Entry.kill(map, at);
        VarHandle.releaseFence();
        value.write(map, at + Entry.HEAD + key.length());
        Entry.write(map, at, Entry.position(map, at), Entry.LIVE, value.head(key));
        byte[] flags = index.table().flags();
        if ((flags[slot] & SlotIndex.UNVERIFIED) != 0) {
            flags[slot] = 0;
        }
    }

    /** Writes a value to the young end of a ring, and takes the one before out. */
    private void append(Key key, Value value, int size, int oldSlot) {
        int oldOffset = oldSlot < 0 ? -1 : index.offsetOf(index.table().codes()[oldSlot]);
        Ring ring = rings.ringFor(key.hash(), size, oldOffset);
        long at = rings.makeRoom(ring, size, value.now());
        // The fields that make it an entry come last, its position in the ring with them.
        key.write(map, at);
        value.write(map, at + Entry.HEAD + key.length());
        Entry.write(map, at, ring.head(), Entry.LIVE, value.head(key));
        // Looked up again: making room may have moved the old one, or dropped it.
        int slot = oldSlot < 0 ? -1 : find(index.table(), key);
        int code = index.code(index.tag(key.hash()), (int) (at - start));
        if (slot >= 0) {
            SlotIndex.Table table = index.table();
            rings.kill(start + index.offsetOf(table.codes()[slot]));
            index.set(slot, code, (byte) (table.flags()[slot] & SlotIndex.READ));
        } else {
            index.add(code, (byte) 0);
        }
        rings.pushed(ring, size);
    }

    boolean remove(Key key, long now) {
        lock.lock();
        try {
            int slot = find(index.table(), key);
            if (slot < 0) {
                return false;
            }
            long at = start + index.offsetOf(index.table().codes()[slot]);
            boolean expired = Entry.isExpired(map, at, now);
            change(() -> drop(slot, at));
            Counter.REMOVED.count(map, start);
            return !expired;
        } finally {
            lock.unlock();
        }
    }

    int removeKeys(Predicate<byte[]> wanted) {
        lock.lock();
        try {
            List<Integer> found = new ArrayList<>();
            for (int code : index.table().codes()) {
                long at = start + index.offsetOf(code);
                int length = code == 0 ? 0 : Entry.keyLength(map, at);
                if (length > 0
                        && wanted.test(
                                map.asSlice(at + Entry.HEAD, length)
                                        .toArray(ValueLayout.JAVA_BYTE))) {
                    found.add(code);
                }
            }
            for (int code : found) {
                change(() -> drop(index.slotOf(code), start + index.offsetOf(code)));
                Counter.REMOVED.count(map, start);
            }
            return found.size();
        } finally {
            lock.unlock();
        }
    }

    void clear() {
        lock.lock();
        try {
            change(
                    () -> {
                        killAll();
                        rings.clear();
                    });
        } finally {
            lock.unlock();
        }
    }

    private void killAll() {
        for (int code : index.table().codes()) {
            if (code != 0) {
                Entry.kill(map, start + index.offsetOf(code));
            }
        }
    }

    private void drop(int slot, long at) {
        index.remove(slot);
        rings.kill(at);
    }

    /** Runs a change with an odd sequence. */
    private void change(Runnable change) {
        long sequence = beginChange();
        boolean done = false;
        try {
            change.run();
            done = true;
        } finally {
            endChange(sequence, done);
        }
    }

    /** Makes the sequence odd; returns what it is then. */
    private long beginChange() {
        long sequence = map.get(Layout.LONG, start + Layout.SEQUENCE) | 1;
        SEQUENCE.setOpaque(map, start, sequence);
        VarHandle.releaseFence();
        return sequence;
    }

    /** Makes the sequence even again; a change that failed half-way leaves an empty segment. */
    private void endChange(long sequence, boolean done) {
        try {
            if (!done) {
                killAll();
                rings.clear();
            }
        } finally {
            SEQUENCE.setRelease(map, start, sequence + 1);
        }
    }

    // --- Looking from outside -----------------------------------------------------------------

    CacheStatistics statistics() {
        lock.lock();
        try {
            return new CacheStatistics(
                    rings.main().length() + rings.probation().length(),
                    rings.usedBytes(),
                    rings.liveBytes(),
                    index.size(),
                    Counter.HITS.value(map, start),
                    Counter.MISSES.value(map, start),
                    Counter.PUTS.value(map, start),
                    Counter.REMOVED.value(map, start),
                    Counter.EVICTED.value(map, start),
                    Counter.SPARED.value(map, start),
                    Counter.EXPIRED.value(map, start),
                    Counter.DAMAGED.value(map, start));
        } finally {
            lock.unlock();
        }
    }

    /** Lets nobody change this segment any more; for the end of the map. */
    void seal() {
        lock.lock();
    }

    void unseal() {
        lock.unlock();
    }
}
