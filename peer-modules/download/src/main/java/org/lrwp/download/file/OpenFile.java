package org.lrwp.download.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;

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
        if (at + length == version.size()) {
            checkUnchanged();
        }
        return octets.flip();
    }

    private void checkUnchanged() throws IOException {
        if (files.isChangedInPlace(version)) {
            throw new IOException("the file was changed while it was sent");
        }
    }

    /**
     * Has the system send a part of the file; the part with its last octet only while the file is
     * as it was.
     *
     * @param at where the part begins
     * @param length its octets, at least 1
     * @param target does not block
     * @return octets sent; 0 when the channel takes none now
     * @throws FileFaultException when the file has become shorter, or was changed in its place
     * @throws IOException when the channel is broken, or the file cannot be read
     */
    public long send(long at, long length, WritableByteChannel target) throws IOException {
        try {
            if (at + length == version.size()) {
                checkUnchanged();
            }
        } catch (IOException e) {
            throw new FileFaultException(e);
        }
        long sent = channel.transferTo(at, length, target);
        if (sent == 0 && channel.size() <= at) {
            throw new FileFaultException(new EOFException("the file has become shorter"));
        }
        return sent;
    }

    @Override
    public void close() {
        files.release(this);
    }
}
