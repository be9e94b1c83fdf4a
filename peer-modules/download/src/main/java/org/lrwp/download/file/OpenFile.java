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
    private final boolean settled;
    private final FileChannel channel;
    private final OpenFiles files;

    /** How many have it; under the lock of {@link #files}. */
    int readers = 1;

    OpenFile(FileVersion version, boolean settled, FileChannel channel, OpenFiles files) {
        this.version = version;
        this.settled = settled;
        this.channel = channel;
        this.files = files;
    }

    FileVersion version() {
        return version;
    }

    FileChannel channel() {
        return channel;
    }

    /** Whether a change since it was opened was bound to show in what the system says of it. */
    boolean isSettled() {
        return settled;
    }

    /**
     * Reads a part of the file.
     *
     * @param at where it begins
     * @param length its bytes
     * @return the bytes, to be read, in a buffer of their own
     * @throws IOException when the file has become shorter, or cannot be read
     */
    public ByteBuffer read(long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        Sample.fill(channel, bytes, at);
        return bytes.flip();
    }

    /**
     * Looks whether what was read is what the file held when it was opened. More bytes behind those
     * that were there are no change, and neither is another file of the same name.
     *
     * @throws FileFaultException when the file was changed in its place, or cannot be read
     */
    public void requireUnchanged() throws FileFaultException {
        try {
            if (!files.isUntouched(version)
                    && (channel.size() < version.size()
                            || Sample.of(channel, version.size()) != version.sample())) {
                throw new IOException("the file was changed while it was sent");
            }
        } catch (IOException e) {
            files.forget(this);
            throw new FileFaultException(e);
        }
    }

    /**
     * Has the system send a part of the file.
     *
     * @param at where the part begins
     * @param length its bytes, at least 1
     * @param target does not block
     * @return bytes sent; 0 when the channel takes none now
     * @throws FileFaultException when the file has become shorter
     * @throws IOException when the channel is broken, or the file cannot be read
     */
    public long send(long at, long length, WritableByteChannel target) throws IOException {
        long sent = channel.transferTo(at, length, target);
        if (sent == 0 && channel.size() <= at) {
            files.forget(this);
            throw new FileFaultException(new EOFException("the file has become shorter"));
        }
        return sent;
    }

    @Override
    public void close() {
        files.release(this);
    }
}
