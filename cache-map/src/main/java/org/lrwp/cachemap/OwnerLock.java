package org.lrwp.cachemap;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.PrivateFile;
import org.lrwp.files.UnsafeFileException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Keeps a file to one owner: a lock on {@code FILE.lock}, which the system takes back when the
 * process ends, however it ends. A file of its own, because a process loses its lock on a file
 * whenever any part of it closes that file: somebody who only reads the cache file must not cost
 * the owner its lock. For the same reason a second owner in the same JVM is turned away before it
 * opens the lock file; its class loader may be another one, so the claim stands where all see it.
 */
final class OwnerLock implements AutoCloseable {
    private static final String CLAIM = "org.lrwp.cachemap.owned:";

    private final String claim;
    private final FileChannel channel;

    private OwnerLock(String claim, FileChannel channel) {
        this.claim = claim;
        this.channel = channel;
    }

    /** Takes the lock of a cache file. */
    static OwnerLock take(Path file) throws CacheFileException {
        String claim;
        try {
            Path absolute = file.toAbsolutePath();
            Path folder = absolute.getParent();
            Path name = absolute.getFileName();
            if (folder == null || name == null) {
                throw new CacheFileException(file + " is a folder");
            }
            claim = CLAIM + folder.toRealPath().resolve(name);
        } catch (IOException e) {
            throw new CacheFileException("the folder of " + file + " does not exist", e);
        }
        if (System.getProperties().putIfAbsent(claim, "this process") != null) {
            throw new CacheFileException(file + " is in use by this very process");
        }
        FileChannel channel = null;
        try {
            channel = PrivateFile.open(Path.of(file + ".lock"));
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new CacheFileException(file + " is in use by process " + ownerIn(channel));
            }
            byte[] id = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
            channel.truncate(0).write(ByteBuffer.wrap(id), 0);
            return new OwnerLock(claim, channel);
        } catch (IOException e) {
            release(claim, channel);
            throw switch (e) {
                case CacheFileException known -> known;
                case UnsafeFileException unsafe ->
                        new CacheFileException(String.valueOf(unsafe.getMessage()), unsafe);
                default -> new CacheFileException(file + ".lock cannot be written", e);
            };
        }
    }

    private static String ownerIn(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(32);
        channel.read(text, 0);
        return new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip();
    }

    private static void release(String claim, @Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // The system takes the lock back when the process ends at the latest.
        } finally {
            System.getProperties().remove(claim);
        }
    }

    @Override
    public void close() {
        release(claim, channel);
    }
}
