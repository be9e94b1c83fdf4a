package org.lrwp.cachemap;

import java.lang.foreign.MemorySegment;
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
    int length() {
        return octets.remaining();
    }

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
        MemorySegment.copy(MemorySegment.ofBuffer(octets), 0, map, at, octets.remaining());
    }
}
