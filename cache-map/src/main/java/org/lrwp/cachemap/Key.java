package org.lrwp.cachemap;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A key and its hash.
 *
 * @param word the number, or the hash of the bytes
 * @param octets null for a number
 * @param hash spreads it
 */
@SuppressWarnings("ArrayRecordComponent") // not copied: one operation long
record Key(long word, byte @Nullable [] octets, long hash) {
    int length() {
        return octets == null ? 0 : octets.length;
    }

    /**
     * Says whether an entry has this key.
     *
     * @param end where the segment ends; a writer may be changing what is read here
     */
    boolean isAt(MemorySegment map, long at, long end) {
        if (Entry.key(map, at) != word) {
            return false;
        }
        int length = Entry.keyLength(map, at);
        if (octets == null || length != octets.length) {
            return octets == null && length == 0;
        }
        long from = at + Entry.HEAD;
        if (from + length > end) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (map.get(ValueLayout.JAVA_BYTE, from + i) != octets[i]) {
                return false;
            }
        }
        return true;
    }

    void write(MemorySegment map, long at) {
        if (octets != null) {
            MemorySegment.copy(
                    octets, 0, map, ValueLayout.JAVA_BYTE, at + Entry.HEAD, octets.length);
        }
    }
}
