package org.lrwp.webapp.traffic;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A format that a library writes to a stream. */
final class LibraryStream implements BodyEncoder {
    private static final int ROOM = 8 * 1024;

    private final OutputStream stream;
    private final Sink sink;
    private boolean unflushed;

    /** Makes the stream of a library above the one that it writes to. */
    @FunctionalInterface
    interface Maker {
        OutputStream over(OutputStream below) throws IOException;
    }

    /** Keeps what the library writes. */
    private static final class Sink extends OutputStream {
        private byte[] bytes = new byte[ROOM];
        private int length;

        @Override
        public void write(int value) {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] some, int from, int count) {
            if (bytes.length - length < count) {
                bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
            }
            System.arraycopy(some, from, bytes, length, count);
            length += count;
        }

        ByteBuffer take() {
            if (length == 0) {
                return ByteBuffer.allocate(0);
            }
            ByteBuffer made = ByteBuffer.wrap(bytes, 0, length);
            bytes = new byte[ROOM];
            length = 0;
            return made;
        }
    }

    LibraryStream(Maker maker) throws IOException {
        sink = new Sink();
        stream = maker.over(sink);
    }

    @Override
    public ByteBuffer add(ByteBuffer bytes) {
        try {
            if (bytes.hasArray()) {
                int from = bytes.arrayOffset() + bytes.position();
                stream.write(bytes.array(), from, bytes.remaining());
                bytes.position(bytes.limit());
            } else {
                byte[] copy = new byte[bytes.remaining()];
                bytes.get(copy);
                stream.write(copy);
            }
            unflushed = true;
            return sink.take();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public ByteBuffer flush() {
        try {
            if (unflushed) {
                unflushed = false;
                stream.flush();
            }
            return sink.take();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public ByteBuffer end() {
        close();
        return sink.take();
    }

    /** Only the first time counts. */
    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
