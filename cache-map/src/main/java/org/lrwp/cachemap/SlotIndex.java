package org.lrwp.cachemap;

/**
 * Finds the entries of one segment: open addressing in an array of numbers, each an entry's offset
 * and as many bits of its key's hash as fit beside it.
 *
 * <p>One thread at a time changes it, under the segment's lock. Readers may look at any moment and
 * see nonsense; they check the segment's sequence afterwards.
 */
final class SlotIndex {
    /** Set by readers: the entry was read. */
    static final byte READ = 1;

    /** The entry's bytes were written by another process and have not been compared yet. */
    static final byte UNVERIFIED = 2;

    private static final int LEAST = 16;

    private final int offsetBits;
    private final int tagBits;
    private volatile Table table;
    private int size;

    /** What readers take hold of at once. */
    @SuppressWarnings("ArrayRecordComponent") // the arrays are what is shared
    record Table(int[] codes, byte[] flags) {
        int next(int slot) {
            return (slot + 1) & (codes.length - 1);
        }
    }

    SlotIndex(int segmentSize) {
        offsetBits = Integer.numberOfTrailingZeros(segmentSize) - 3;
        tagBits = Integer.SIZE - offsetBits;
        table = new Table(new int[LEAST], new byte[LEAST]);
    }

    Table table() {
        return table;
    }

    int size() {
        return size;
    }

    int tag(long hash) {
        return (int) hash & ((1 << tagBits) - 1);
    }

    int home(Table in, int tag) {
        return (int) (((long) tag * in.codes.length) >>> tagBits);
    }

    int tagOf(int code) {
        return code >>> offsetBits;
    }

    /** Returns an entry's offset within its segment. */
    int offsetOf(int code) {
        return (code & ((1 << offsetBits) - 1)) << 3;
    }

    int code(int tag, int offset) {
        return tag << offsetBits | offset >>> 3;
    }

    /** Returns the slot of an entry, -1 when it has none. */
    int slotOf(int code) {
        Table in = table;
        for (int slot = home(in, tagOf(code)); in.codes[slot] != 0; slot = in.next(slot)) {
            if (in.codes[slot] == code) {
                return slot;
            }
        }
        return -1;
    }

    void add(int code, byte flags) {
        if ((size + 1) * 8L > table.codes.length * 5L) {
            grow();
        }
        size++;
        insert(table, code, flags);
    }

    void set(int slot, int code, byte flags) {
        Table in = table;
        in.codes[slot] = code;
        in.flags[slot] = flags;
    }

    /** Takes a slot out and closes the gap. */
    void remove(int slot) {
        Table in = table;
        int mask = in.codes.length - 1;
        int gap = slot;
        for (int i = in.next(slot); in.codes[i] != 0; i = in.next(i)) {
            int home = home(in, tagOf(in.codes[i]));
            if (((i - home) & mask) >= ((i - gap) & mask)) {
                in.codes[gap] = in.codes[i];
                in.flags[gap] = in.flags[i];
                gap = i;
            }
        }
        in.codes[gap] = 0;
        in.flags[gap] = 0;
        size--;
    }

    /** Takes out all entries whose offset lies in a range. */
    void removeRange(int from, int to) {
        Table old = table;
        Table left = new Table(new int[old.codes.length], new byte[old.codes.length]);
        size = 0;
        for (int i = 0; i < old.codes.length; i++) {
            int code = old.codes[i];
            int offset = offsetOf(code);
            if (code != 0 && (offset < from || offset >= to)) {
                insert(left, code, old.flags[i]);
                size++;
            }
        }
        table = left;
    }

    private void grow() {
        Table old = table;
        int length = old.codes.length * 2;
        Table larger = new Table(new int[length], new byte[length]);
        for (int i = 0; i < old.codes.length; i++) {
            if (old.codes[i] != 0) {
                insert(larger, old.codes[i], old.flags[i]);
            }
        }
        table = larger;
    }

    private void insert(Table in, int code, byte flags) {
        int slot = home(in, tagOf(code));
        while (in.codes[slot] != 0) {
            slot = in.next(slot);
        }
        in.codes[slot] = code;
        in.flags[slot] = flags;
    }
}
