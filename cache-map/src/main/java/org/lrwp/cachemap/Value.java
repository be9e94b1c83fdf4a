package org.lrwp.cachemap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A value on its way into the map.
 *
 * @param bytes what is put: its position and limit are left alone
 * @param expiry milliseconds of the epoch, 0 for never
 * @param now milliseconds of the epoch
 */
record Value(ByteBuffer bytes, long expiry, long now) {
    Value {
        // Bytes of a closed arena, or of another thread's, are noticed here and not amid a change.
        if (bytes.hasRemaining()) {
            bytes.get(bytes.position());
        }
    }

    int length() {
        return bytes.remaining();
    }

    /**
     * Returns the head of its entry. Called after {@link #write}: its bytes are near by then, and
     * the sum is made while they are on their way to the map.
     */
    Entry.Head head(Key key) {
        CRC32C sum = new CRC32C();
        byte[] keyBytes = key.bytes();
        if (keyBytes != null) {
            sum.update(keyBytes, 0, keyBytes.length);
        }
        if (bytes.hasArray()) {
            sum.update(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        } else {
            sum.update(bytes.duplicate());
        }
        return new Entry.Head(
                key.word(),
                key.length(),
                length(),
                expiry,
                (int) sum.getValue(),
                (int) (now / 1000));
    }

    void write(MemorySegment map, long at) {
        if (bytes.hasArray()) {
            MemorySegment.copy(
                    bytes.array(),
                    bytes.arrayOffset() + bytes.position(),
                    map,
                    ValueLayout.JAVA_BYTE,
                    at,
                    bytes.remaining());
        } else {
            MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, map, at, bytes.remaining());
        }
    }
}
