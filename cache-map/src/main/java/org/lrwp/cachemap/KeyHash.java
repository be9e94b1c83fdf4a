package org.lrwp.cachemap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Spreads keys over segments and slots. Seeded for each file, so that nobody who chooses keys can
 * choose where they go.
 *
 * <p>Bytes are hashed by SipHash-2-4 (Aumasson and Bernstein, 2012).
 */
final class KeyHash {
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private KeyHash() {}

    /** Mixes a number and a seed so that each bit of the result depends on each bit of both. */
    static long mix(long number, long seed) {
        long h = number + seed;
        h = (h ^ (h >>> 30)) * 0xbf58476d1ce4e5b9L;
        h = (h ^ (h >>> 27)) * 0x94d049bb133111ebL;
        h ^= h >>> 31;
        h = (h ^ Long.rotateLeft(seed, 23)) * 0x9e3779b97f4a7c15L;
        return h ^ (h >>> 32);
    }

    /** Hashes bytes with a key of two words. */
    static long sip(byte[] bytes, long k0, long k1) {
        long v0 = k0 ^ 0x736f6d6570736575L;
        long v1 = k1 ^ 0x646f72616e646f6dL;
        long v2 = k0 ^ 0x6c7967656e657261L;
        long v3 = k1 ^ 0x7465646279746573L;
        int words = bytes.length >>> 3;
        for (int i = 0; i <= words + 2; i++) {
            long m = i < words ? (long) WORD.get(bytes, i << 3) : i == words ? last(bytes) : 0;
            if (i == words + 1) {
                v2 ^= 0xff; // the end: four rounds more, in two turns
            }
            v3 ^= m;
            for (int r = 0; r < 2; r++) {
                v0 += v1;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v3;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 += v3;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 += v1;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v2 = Long.rotateLeft(v2, 32);
            }
            v0 ^= m;
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private static long last(byte[] bytes) {
        long word = (long) bytes.length << 56;
        for (int i = bytes.length & -8, shift = 0; i < bytes.length; i++, shift += 8) {
            word |= (bytes[i] & 0xffL) << shift;
        }
        return word;
    }
}
