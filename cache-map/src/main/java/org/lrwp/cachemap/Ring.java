package org.lrwp.cachemap;

import java.lang.foreign.MemorySegment;

/**
 * One ring of entries within a segment. Positions count bytes and never turn back; the place of a
 * position is its rest by the ring's length. An entry stands in one piece: what is left before the
 * end of the ring is given to a fill entry, or to nobody when it is shorter than a head.
 *
 * <p>For one thread at a time.
 */
final class Ring {
    private final MemorySegment map;
    private final long fields;
    private final long start;
    private final int offset;
    private final int length;
    private long head;
    private long tail;
    private long live;

    /**
     * Reads a ring.
     *
     * @param segment where its segment starts in the map
     * @param number which of the segment's rings
     * @param offset where it starts in the segment
     * @param length its bytes, a multiple of 8; 0 for a ring that is not used
     */
    Ring(MemorySegment map, long segment, int number, int offset, int length) {
        this.map = map;
        this.fields = fields(segment, number);
        this.start = segment + offset;
        this.offset = offset;
        this.length = length;
        this.head = head(map, segment, number);
        this.tail = map.get(Layout.LONG, fields + Long.BYTES);
    }

    /** Returns the two rings of a segment: for new entries, and for those that stay. */
    static Ring[] of(MemorySegment map, long segment, int segmentSize, int probation) {
        int main = Layout.SEGMENT_HEAD + probation;
        return new Ring[] {
            new Ring(map, segment, 0, Layout.SEGMENT_HEAD, probation),
            new Ring(map, segment, 1, main, segmentSize - main)
        };
    }

    /** Returns the head of a segment's ring as it is in the file. */
    static long head(MemorySegment map, long segment, int number) {
        return map.get(Layout.LONG, fields(segment, number));
    }

    private static long fields(long segment, int number) {
        return segment + Layout.RINGS + (long) number * Layout.RING_FIELDS;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    long head() {
        return head;
    }

    long tail() {
        return tail;
    }

    /** Returns the bytes of its entries that can be read; not in the file. */
    long live() {
        return live;
    }

    /** An entry can be read from now on, or, with a negative size, no more. */
    void addLive(int size) {
        live += size;
    }

    boolean isEmpty() {
        return tail == head;
    }

    /** Gives up all entries. */
    void empty() {
        tail = head;
        live = 0;
    }

    void set(long newTail, long newHead) {
        tail = newTail;
        head = newHead;
    }

    /** Says whether head and tail can be what they are. */
    boolean isPlausible() {
        return tail >= 0 && tail <= head && head - tail <= length && (head & 7) == 0;
    }

    /** Writes head and tail to the segment's head. */
    void store() {
        map.set(Layout.LONG, fields, head);
        map.set(Layout.LONG, fields + Long.BYTES, tail);
    }

    long address(long position) {
        return start + position % length;
    }

    /** Returns the bytes from a position to the end of the ring. */
    int toEnd(long position) {
        return length - (int) (position % length);
    }

    /** Returns the bytes that are lost when an entry of a size comes next. */
    int padding(int size) {
        int left = toEnd(head);
        return size > left ? left : 0;
    }

    boolean hasRoom(int size) {
        return head + padding(size) + size - tail <= length;
    }

    /** Moves the head to where an entry of a size stands in one piece; there has to be room. */
    void align(int size) {
        int padding = padding(size);
        if (padding >= Entry.HEAD) {
            Entry.writeFill(map, address(head), head, padding);
        }
        head += padding;
    }

    /** Takes the entry at the head in. */
    void push(int size) {
        head += size;
    }

    /** Gives up the entry at the tail. */
    void drop(int size) {
        tail += size;
    }
}
