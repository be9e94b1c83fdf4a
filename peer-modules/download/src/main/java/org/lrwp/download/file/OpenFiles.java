package org.lrwp.download.file;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The files that are being sent, each open once however many downloads read it, so that descriptors
 * are as many as files. Thread-safe; opening blocks, for disk threads.
 */
final class OpenFiles {
    private static final class Use {
        private final OpenFile file;
        private int count = 1;

        Use(OpenFile file) {
            this.file = file;
        }
    }

    private final Map<FileVersion, Use> uses = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * Opens a file, or joins those who read it.
     *
     * @throws IOException when it is not there any more, or another one is
     */
    OpenFile open(FileVersion found) throws IOException {
        FileVersion version = plain(found);
        OpenFile known = join(version);
        if (known != null) {
            return known;
        }
        FileChannel channel =
                FileChannel.open(
                        version.path(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        // Between looking and opening another file, or a link, may have come to its place.
        if (!isStillThere(version)) {
            channel.close();
            throw new IOException("the file was replaced");
        }
        return add(version, channel);
    }

    /** Joins those who read a file; null when nobody does. Touches no disk. */
    @Nullable OpenFile joinOpen(FileVersion found) {
        return join(plain(found));
    }

    private static FileVersion plain(FileVersion found) {
        return new FileVersion(found.path(), found.size(), found.modified(), found.key(), null);
    }

    private static boolean isStillThere(FileVersion version) throws IOException {
        return version.path().toRealPath().equals(version.path()) && version.isCurrent();
    }

    private @Nullable OpenFile join(FileVersion version) {
        lock.lock();
        try {
            Use use = uses.get(version);
            if (use == null) {
                return null;
            }
            use.count++;
            return use.file;
        } finally {
            lock.unlock();
        }
    }

    private OpenFile add(FileVersion version, FileChannel channel) throws IOException {
        OpenFile opened = new OpenFile(version, channel, this);
        OpenFile known;
        lock.lock();
        try {
            // In one step with the look: of two that open it at once one takes the other's.
            Use use = uses.putIfAbsent(version, new Use(opened));
            if (use == null) {
                return opened;
            }
            use.count++;
            known = use.file;
        } finally {
            lock.unlock();
        }
        channel.close();
        return known;
    }

    void release(OpenFile file) {
        lock.lock();
        try {
            Use use = uses.get(file.version());
            if (use != null && use.file.equals(file)) {
                use.count--;
                if (use.count > 0) {
                    return;
                }
                uses.remove(file.version());
            }
        } finally {
            lock.unlock();
        }
        try {
            file.channel().close();
        } catch (IOException e) {
            System.getLogger(OpenFiles.class.getName())
                    .log(System.Logger.Level.DEBUG, "file-not-closed", e);
        }
    }

    int count() {
        lock.lock();
        try {
            return uses.size();
        } finally {
            lock.unlock();
        }
    }

    /** Says whether the same file now has other octets; one that was replaced has not changed. */
    boolean isChangedInPlace(FileVersion version) {
        Path path = version.path();
        try {
            FileVersion now =
                    FileVersion.of(path, Files.readAttributes(path, BasicFileAttributes.class));
            return version.key() != null
                    && Objects.equals(now.key(), version.key())
                    && !now.isSame(version);
        } catch (IOException e) {
            return false;
        }
    }
}
