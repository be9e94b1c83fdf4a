package org.lrwp.cachemap;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * The bytes of one entry in the map: a head of {@value #HEAD}, the key's bytes, the value's, and up
 * to 7 to the next multiple of 8. An entry describes itself: its head has a check over all its
 * fields, and the position in the ring at which it was written.
 */
final class Entry {
    static final int HEAD = 48;

    /** What the first word of an entry says. */
    static final int LIVE = 0x4556494c;

    static final int DEAD = 0x44414544;
    static final int FILL = 0x4c4c4946;

    private static final int STATE = 0;
    private static final int CHECK = 4;
    private static final int POSITION = 8;
    private static final int KEY = 16;
    private static final int KEY_LENGTH = 24;
    private static final int VALUE_LENGTH = 28;
    private static final int EXPIRY = 32;
    private static final int CHECKSUM = 40;
    private static final int WRITTEN = 44;

    private Entry() {}

    /**
     * What a new entry says.
     *
     * @param key the key, or the hash of its bytes
     * @param keyLength bytes of the key, 0 for a number
     * @param valueLength bytes of the value
     * @param expiry milliseconds of the epoch, 0 for never
     * @param checksum CRC-32C of key and value
     * @param written seconds of the epoch
     */
    record Head(long key, int keyLength, int valueLength, long expiry, int checksum, int written) {}

    /** Returns the largest value and key together that a segment takes under any eviction. */
    static int largestValue(int segmentSize) {
        int main =
                segmentSize - Layout.SEGMENT_HEAD - Layout.probation(segmentSize, Eviction.GHOST);
        return (main / 2 & -8) - HEAD;
    }

    static int size(int keyLength, int valueLength) {
        return Layout.align(HEAD + keyLength + valueLength);
    }

    static int size(MemorySegment map, long at) {
        return size(keyLength(map, at), valueLength(map, at));
    }

    static void write(MemorySegment map, long at, long position, int state, Head head) {
        map.set(Layout.LONG, at + POSITION, position);
        map.set(Layout.LONG, at + KEY, head.key);
        map.set(Layout.INT, at + KEY_LENGTH, head.keyLength);
        map.set(Layout.INT, at + VALUE_LENGTH, head.valueLength);
        map.set(Layout.LONG, at + EXPIRY, head.expiry);
        map.set(Layout.INT, at + CHECKSUM, head.checksum);
        map.set(Layout.INT, at + WRITTEN, head.written);
        map.set(Layout.INT, at + CHECK, check(map, at));
        map.set(Layout.INT, at + STATE, state);
    }

    /** Gives bytes to nobody, up to another entry or the end of the ring. */
    static void writeFill(MemorySegment map, long at, long position, int bytes) {
        write(map, at, position, FILL, new Head(0, 0, bytes - HEAD, 0, 0, 0));
    }

    /** Says that a moved entry is now where it is. */
    static void settle(MemorySegment map, long at, long position) {
        map.set(Layout.LONG, at + POSITION, position);
        map.set(Layout.INT, at + CHECK, check(map, at));
        map.set(Layout.INT, at + STATE, LIVE);
    }

    static void kill(MemorySegment map, long at) {
        map.set(Layout.INT, at + STATE, DEAD);
    }

    /**
     * Says whether the head of an entry that was written at a position stands here.
     *
     * @param room bytes from here to the end of the ring
     */
    static boolean isSound(MemorySegment map, long at, long position, int room) {
        if (room < HEAD
                || map.get(Layout.LONG, at + POSITION) != position
                || map.get(Layout.INT, at + CHECK) != check(map, at)) {
            return false;
        }
        int keyLength = keyLength(map, at);
        int valueLength = valueLength(map, at);
        return keyLength >= 0 && valueLength >= 0 && HEAD + (long) keyLength + valueLength <= room;
    }

    /**
     * Returns the bytes that the entry at a position would have by its head, sound or not; 0 when
     * the head is of another position or says nothing that can be.
     */
    static long claimedSize(MemorySegment map, long at, long position) {
        long key = keyLength(map, at);
        long value = valueLength(map, at);
        boolean canBe = position(map, at) == position && key >= 0 && value >= 0;
        return canBe ? (HEAD + key + value + 7) & -8 : 0;
    }

    static int state(MemorySegment map, long at) {
        return map.get(Layout.INT, at + STATE);
    }

    static long position(MemorySegment map, long at) {
        return map.get(Layout.LONG, at + POSITION);
    }

    static long key(MemorySegment map, long at) {
        return map.get(Layout.LONG, at + KEY);
    }

    static int keyLength(MemorySegment map, long at) {
        return map.get(Layout.INT, at + KEY_LENGTH);
    }

    static int valueLength(MemorySegment map, long at) {
        return map.get(Layout.INT, at + VALUE_LENGTH);
    }

    static long expiry(MemorySegment map, long at) {
        return map.get(Layout.LONG, at + EXPIRY);
    }

    static int checksum(MemorySegment map, long at) {
        return map.get(Layout.INT, at + CHECKSUM);
    }

    /** Returns when it was written, in seconds of the epoch. */
    static long written(MemorySegment map, long at) {
        return Integer.toUnsignedLong(map.get(Layout.INT, at + WRITTEN));
    }

    static boolean isExpired(MemorySegment map, long at, long now) {
        long expiry = expiry(map, at);
        return expiry != 0 && expiry <= now;
    }

    /** Says whether key and value are what was written; the head has to be sound. */
    static boolean isWhole(MemorySegment map, long at) {
        CRC32C sum = new CRC32C();
        sum.update(
                map.asSlice(at + HEAD, (long) keyLength(map, at) + valueLength(map, at))
                        .asByteBuffer());
        return (int) sum.getValue() == checksum(map, at);
    }

    private static int check(MemorySegment map, long at) {
        long h = map.get(Layout.LONG, at + POSITION) * 0x9e3779b97f4a7c15L;
        h = (h ^ (h >>> 29) ^ map.get(Layout.LONG, at + KEY)) * 0xbf58476d1ce4e5b9L;
        h = (h ^ (h >>> 32) ^ map.get(Layout.LONG, at + KEY_LENGTH)) * 0x94d049bb133111ebL;
        h = (h ^ (h >>> 30) ^ map.get(Layout.LONG, at + EXPIRY)) * 0x9e3779b97f4a7c15L;
        h = (h ^ (h >>> 31) ^ map.get(Layout.LONG, at + CHECKSUM)) * 0xbf58476d1ce4e5b9L;
        return (int) (h ^ (h >>> 32));
    }
}
