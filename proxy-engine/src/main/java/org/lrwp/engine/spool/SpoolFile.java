package org.lrwp.engine.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;

/**
 * One temporary file: octets are added at its end and read in order. It is unlinked from its folder
 * as soon as it is open, so that nothing is left whatever happens. Not thread-safe.
 */
final class SpoolFile {
    private final SpoolStore store;
    private final FileChannel channel;
    private long written;
    private long read;

    SpoolFile(SpoolStore store, Path folder) throws NoSpaceException {
        this.store = store;
        Path path = folder.resolve("lrwp-" + UUID.randomUUID() + ".spool");
        try {
            channel =
                    FileChannel.open(
                            path,
                            Set.of(
                                    StandardOpenOption.CREATE_NEW,
                                    StandardOpenOption.READ,
                                    StandardOpenOption.WRITE,
                                    StandardOpenOption.DELETE_ON_CLOSE));
        } catch (IOException e) {
            throw new NoSpaceException("cannot make a temporary file in " + folder, e);
        }
    }

    void append(ByteBuffer octets, boolean aboveLimit) throws NoSpaceException {
        int count = octets.remaining();
        store.takeDisk(count, aboveLimit);
        try {
            long position = written;
            while (octets.hasRemaining()) {
                position += channel.write(octets, position);
            }
            written += count;
        } catch (IOException e) {
            store.giveDisk(count);
            throw new NoSpaceException("cannot write to a temporary file", e);
        }
    }

    long unread() {
        return written - read;
    }

    ByteBuffer read(int most) throws IOException {
        ByteBuffer octets = ByteBuffer.allocate((int) Math.min(most, unread()));
        while (octets.hasRemaining()) {
            int count = channel.read(octets, read + octets.position());
            if (count < 0) {
                throw new IOException("temporary file is shorter than what was written to it");
            }
        }
        read += octets.position();
        return octets.flip();
    }

    void rewind() {
        read = 0;
    }

    /** Forgets everything, when all has been read. */
    void recycle() {
        store.giveDisk(written);
        written = 0;
        read = 0;
    }

    void close() {
        store.giveDisk(written);
        written = 0;
        read = 0;
        try {
            channel.close();
        } catch (IOException e) {
            System.getLogger(SpoolFile.class.getName())
                    .log(System.Logger.Level.WARNING, "spool-close-failed", e);
        }
    }
}
