package org.lrwp.cachemap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** Where a value is copied to. What was copied may turn out to be nonsense, and is copied again. */
interface Reading {
    /** Takes the bytes of a value. */
    void copy(MemorySegment map, long from, int length);

    /** A new array. */
    final class ToArray implements Reading {
        byte[] bytes = new byte[0];

        @Override
        public void copy(MemorySegment map, long from, int length) {
            byte[] to = new byte[length];
            MemorySegment.copy(map, ValueLayout.JAVA_BYTE, from, to, 0, length);
            bytes = to;
        }
    }

    /** The caller's buffer, when the value fits. */
    final class ToBuffer implements Reading {
        private final ByteBuffer buffer;
        int length;

        ToBuffer(ByteBuffer buffer) {
            this.buffer = buffer;
        }

        @Override
        public void copy(MemorySegment map, long from, int bytes) {
            length = bytes;
            if (bytes > buffer.remaining()) {
                return;
            }
            if (buffer.hasArray()) {
                MemorySegment.copy(
                        map,
                        ValueLayout.JAVA_BYTE,
                        from,
                        buffer.array(),
                        buffer.arrayOffset() + buffer.position(),
                        bytes);
            } else {
                MemorySegment.copy(map, from, MemorySegment.ofBuffer(buffer), 0, bytes);
            }
        }
    }

    /** Nobody: only whether there is one. */
    final class Nowhere implements Reading {
        @Override
        public void copy(MemorySegment map, long from, int length) {}
    }
}
