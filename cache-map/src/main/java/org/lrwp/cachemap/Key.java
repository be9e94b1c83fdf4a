package org.lrwp.cachemap;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A key and its hash.
 *
 * @param word the number, or the hash of the bytes
 * @param bytes null for a number
 * @param hash spreads it
 */
@SuppressWarnings("ArrayRecordComponent") // not copied: one operation long
record Key(long word, byte @Nullable [] bytes, long hash) {
    int length() {
        return bytes == null ? 0 : bytes.length;
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
        if (bytes == null || length != bytes.length) {
            return bytes == null && length == 0;
        }
        long from = at + Entry.HEAD;
        if (from + length > end) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (map.get(ValueLayout.JAVA_BYTE, from + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    void write(MemorySegment map, long at) {
        if (bytes != null) {
            MemorySegment.copy(bytes, 0, map, ValueLayout.JAVA_BYTE, at + Entry.HEAD, bytes.length);
        }
    }
}
