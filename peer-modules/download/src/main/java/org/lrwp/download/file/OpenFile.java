package org.lrwp.download.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * An open file that several downloads read, each where it is. Reading blocks; for disk threads.
 * Whoever has got one closes it once; the last one closes the file.
 */
public final class OpenFile implements AutoCloseable {
    private final FileVersion version;
    private final FileChannel channel;
    private final OpenFiles files;

    OpenFile(FileVersion version, FileChannel channel, OpenFiles files) {
        this.version = version;
        this.channel = channel;
        this.files = files;
    }

    FileVersion version() {
        return version;
    }

    FileChannel channel() {
        return channel;
    }

    /**
     * Reads a part of the file.
     *
     * @param at where it begins
     * @param length its octets
     * @return the octets, to be read, in a buffer of their own
     * @throws IOException when the file has become shorter, was changed in its place, or cannot be
     *     read
     */
    public ByteBuffer read(long at, int length) throws IOException {
        ByteBuffer octets = ByteBuffer.allocate(length);
        while (octets.hasRemaining()) {
            if (channel.read(octets, at + octets.position()) < 0) {
                throw new EOFException("the file has become shorter");
            }
        }
        boolean last = at + length == version.size();
        if (last && files.isChangedInPlace(version)) {
            throw new IOException("the file was changed while it was sent");
        }
        return octets.flip();
    }

    @Override
    public void close() {
        files.release(this);
    }
}
