package org.lrwp.webapp.traffic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** The format of RFC 1952. */
final class GzipStream implements BodyEncoder {
    private static final int LEVEL = 5;
    private static final int TRAILER_BYTES = 8;
    private static final int ROOM = 8 * 1024;

    /** Magic, deflate, no flags, no time, no extra flags, of no system: RFC 1952 section 2.3. */
    private static final byte[] HEAD = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 255};

    private final Deflater deflater = new Deflater(LEVEL, true);
    private final CRC32 checksum = new CRC32();
    private byte[] out = new byte[ROOM];
    private int length;
    private long taken;
    private boolean unflushed;

    GzipStream() {
        add(HEAD);
    }

    @Override
    public ByteBuffer add(ByteBuffer bytes) {
        taken += bytes.remaining();
        unflushed = true;
        checksum.update(bytes.duplicate());
        deflater.setInput(bytes);
        deflate(Deflater.NO_FLUSH);
        bytes.position(bytes.limit());
        return ready();
    }

    @Override
    public ByteBuffer flush() {
        if (unflushed) {
            unflushed = false;
            deflate(Deflater.SYNC_FLUSH);
        }
        return ready();
    }

    @Override
    public ByteBuffer end() {
        deflater.finish();
        deflate(Deflater.NO_FLUSH);
        add(
                ByteBuffer.allocate(TRAILER_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt((int) checksum.getValue())
                        .putInt((int) taken)
                        .array());
        return ready();
    }

    private void deflate(int flush) {
        boolean more = true;
        while (more) {
            if (length == out.length) {
                out = Arrays.copyOf(out, 2 * length);
            }
            int room = out.length - length;
            int count = deflater.deflate(out, length, room, flush);
            length += count;
            more = count == room;
        }
    }

    private void add(byte[] bytes) {
        if (out.length - length < bytes.length) {
            out = Arrays.copyOf(out, out.length + bytes.length);
        }
        System.arraycopy(bytes, 0, out, length, bytes.length);
        length += bytes.length;
    }

    private ByteBuffer ready() {
        if (length == 0) {
            return ByteBuffer.allocate(0);
        }
        ByteBuffer made = ByteBuffer.wrap(out, 0, length);
        out = new byte[ROOM];
        length = 0;
        return made;
    }

    @Override
    public void close() {
        deflater.end();
    }
}
