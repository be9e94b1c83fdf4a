package org.lrwp.download.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * A check sum over the two ends of a file: 16 KiB each, or all of it when it is smaller. It tells
 * apart contents that the clock of the file system does not; it is no proof against an adversary.
 */
final class Sample {
    private static final int END = 16 << 10;

    private Sample() {}

    /**
     * Reads the first bytes of a file, as if they were all; blocks.
     *
     * @throws IOException when it has fewer, or cannot be read
     */
    static long of(FileChannel channel, long size) throws IOException {
        int head = (int) Math.min(END, size);
        int tail = (int) Math.min(END, size - head);
        ByteBuffer bytes = ByteBuffer.allocate(head + tail);
        fill(channel, bytes.limit(head), 0);
        fill(channel, bytes.limit(head + tail), size - tail);
        CRC32 high = new CRC32();
        CRC32C low = new CRC32C();
        high.update(bytes.array(), 0, head + tail);
        low.update(bytes.array(), 0, head + tail);
        return high.getValue() << Integer.SIZE | low.getValue();
    }

    /** Reads to the limit of a buffer; {@code at} is where the bytes from its position on begin. */
    static void fill(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
        long begin = at - bytes.position();
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, begin + bytes.position()) < 0) {
                throw new EOFException("the file has become shorter");
            }
        }
    }
}
