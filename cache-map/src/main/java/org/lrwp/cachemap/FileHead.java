package org.lrwp.cachemap;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * What a file says of itself and never changes: the first bytes of its first page, with a copy in
 * its last.
 *
 * @param version of the format
 * @param segmentSize bytes of a segment
 * @param segments how many
 * @param probation bytes of each segment for entries that have to prove themselves
 * @param seed0 first half of the key of the hash
 * @param seed1 the other half
 * @param created milliseconds of the epoch
 */
record FileHead(
        int version,
        int segmentSize,
        int segments,
        int probation,
        long seed0,
        long seed1,
        long created) {
    static final int VERSION = 1;
    static final int LENGTH = 52;

    /** {@code LRWPCMAP}. */
    static final long MAGIC = 0x50414d435057524cL;

    private static final int CHECKED = 48;

    /** Reads a head; null when it is damaged. */
    static @Nullable FileHead read(ByteBuffer page) {
        ByteBuffer in = page.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int at = in.position();
        if (in.remaining() < LENGTH || in.getLong(at) != MAGIC) {
            return null;
        }
        if (in.getInt(at + CHECKED) != check(in, at)) {
            return null;
        }
        return new FileHead(
                in.getInt(at + 8),
                in.getInt(at + 12),
                in.getInt(at + 16),
                in.getInt(at + 20),
                in.getLong(at + 24),
                in.getLong(at + 32),
                in.getLong(at + 40));
    }

    /** Says whether bytes begin like a file of ours, whatever follows. */
    static boolean isOurs(ByteBuffer page) {
        return page.remaining() >= Long.BYTES
                && page.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(page.position())
                        == MAGIC;
    }

    /** Writes the head to the start of a buffer. */
    void write(ByteBuffer page) {
        ByteBuffer out = page.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int at = out.position();
        out.putLong(at, MAGIC);
        out.putInt(at + 8, version);
        out.putInt(at + 12, segmentSize);
        out.putInt(at + 16, segments);
        out.putInt(at + 20, probation);
        out.putLong(at + 24, seed0);
        out.putLong(at + 32, seed1);
        out.putLong(at + 40, created);
        out.putInt(at + CHECKED, check(out, at));
    }

    /** Returns the bytes of a whole file. */
    long fileSize() {
        return 2L * Layout.PAGE + (long) segments * segmentSize;
    }

    long segmentAddress(int segment) {
        return Layout.PAGE + (long) segment * segmentSize;
    }

    long hash(long key) {
        return KeyHash.mix(key, seed0);
    }

    long hash(byte[] key) {
        return KeyHash.sip(key, seed0, seed1);
    }

    int segmentOf(long hash) {
        return (int) Math.unsignedMultiplyHigh(hash, segments);
    }

    /** Returns the hash of an entry's key. */
    long hashOf(MemorySegment map, long at) {
        long key = Entry.key(map, at);
        return Entry.keyLength(map, at) == 0 ? hash(key) : key;
    }

    private static int check(ByteBuffer from, int at) {
        CRC32C sum = new CRC32C();
        sum.update(from.slice(at, CHECKED));
        return (int) sum.getValue();
    }
}
