package org.lrwp.cachemap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A value on its way into the map.
 *
 * @param octets what is put: its position and limit are left alone
 * @param expiry milliseconds of the epoch, 0 for never
 * @param now milliseconds of the epoch
 */
record Value(ByteBuffer octets, long expiry, long now) {
    Value {
        // Bytes of a closed arena, or of another thread's, are noticed here and not amid a change.
        if (octets.hasRemaining()) {
            octets.get(octets.position());
        }
    }

    int length() {
        return octets.remaining();
    }

    /**
     * Returns the head of its entry. Called after {@link #write}: its bytes are near by then, and
     * the sum is made while they are on their way to the map.
     */
    Entry.Head head(Key key) {
        CRC32C sum = new CRC32C();
        byte[] keyOctets = key.octets();
        if (keyOctets != null) {
            sum.update(keyOctets, 0, keyOctets.length);
        }
        if (octets.hasArray()) {
            sum.update(
                    octets.array(), octets.arrayOffset() + octets.position(), octets.remaining());
        } else {
            sum.update(octets.duplicate());
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
        if (octets.hasArray()) {
            MemorySegment.copy(
                    octets.array(),
                    octets.arrayOffset() + octets.position(),
                    map,
                    ValueLayout.JAVA_BYTE,
                    at,
                    octets.remaining());
        } else {
            MemorySegment.copy(MemorySegment.ofBuffer(octets), 0, map, at, octets.remaining());
        }
    }
}
