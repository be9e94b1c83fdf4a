package org.lrwp.download.file;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The files that are being sent, each open once however many downloads read it, so that descriptors
 * are as many as files. Thread-safe; opening blocks, for disk threads.
 */
final class OpenFiles {
    /** So often a file may be replaced between two looks at it before it counts as not there. */
    private static final int MOST_TRIES = 200;

    private record Key(Path path, FileState state) {}

    private final InstantSource clock;
    private final Map<Key, OpenFile> files = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    OpenFiles(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Opens the file that is there now, or joins those who read it.
     *
     * @param path without symbolic links
     * @return with the state of the very file that is open
     * @throws ReplacedException when it does not stay the same for long enough, or has gone
     * @throws IOException when it cannot be read
     */
    OpenFile open(Path path) throws IOException {
        for (int i = 0; i < MOST_TRIES; i++) {
            OpenFile file = tryOpen(path);
            if (file != null) {
                return file;
            }
        }
        throw new ReplacedException("the file is replaced all the time");
    }

    /**
     * Opens a file, or joins those who read it.
     *
     * @throws ReplacedException when it is not there any more, or another one is
     * @throws IOException when it cannot be read
     */
    OpenFile open(FileVersion found) throws IOException {
        OpenFile joined = joinOpen(found);
        if (joined != null) {
            return joined;
        }
        OpenFile file = open(found.path());
        if (!file.version().equals(found.withContent(null))) {
            file.close();
            throw new ReplacedException("the file was replaced");
        }
        return file;
    }

    /** Joins those who read a file; null when nobody does. Touches no disk. */
    @Nullable OpenFile joinOpen(FileVersion found) {
        lock.lock();
        try {
            OpenFile file = files.get(new Key(found.path(), found.state()));
            return file == null || file.version().sample() != found.sample() ? null : share(file);
        } finally {
            lock.unlock();
        }
    }

    /** One more has a file that somebody has. */
    OpenFile share(OpenFile file) {
        lock.lock();
        try {
            file.readers++;
            return file;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Java cannot ask an open file for its times. What the path says right before and right after
     * the file was opened is the open file's when both are the same; else null.
     */
    private @Nullable OpenFile tryOpen(Path path) throws IOException {
        try {
            Instant now = clock.instant();
            FileState before = FileState.at(path);
            OpenFile known = joinSettled(new Key(path, before));
            if (known != null) {
                return known;
            }
            FileChannel channel =
                    FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            OpenFile file = null;
            try {
                if (FileState.at(path).equals(before) && channel.size() == before.size()) {
                    // A link may have come to the place of a folder above it.
                    if (!path.toRealPath().equals(path)) {
                        throw new ReplacedException("the file's folder was replaced");
                    }
                    long sample = Sample.of(channel, before.size());
                    FileVersion version = new FileVersion(path, before, sample, null);
                    file = add(new OpenFile(version, before.isSettled(now), channel, this));
                }
            } finally {
                if (file == null || !file.channel().equals(channel)) {
                    channel.close();
                }
            }
            return file;
        } catch (EOFException e) {
            return null;
        } catch (NoSuchFileException e) {
            throw new ReplacedException("the file has gone");
        }
    }

    /** Joins those who read a file, unless it may have been changed with its times as they are. */
    private @Nullable OpenFile joinSettled(Key key) {
        lock.lock();
        try {
            OpenFile file = files.get(key);
            return file == null || !file.isSettled() ? null : share(file);
        } finally {
            lock.unlock();
        }
    }

    private OpenFile add(OpenFile opened) {
        FileVersion version = opened.version();
        lock.lock();
        try {
            // In one step with the look: of two that open it at once one takes the other's.
            OpenFile known = joinOpen(version);
            if (known != null) {
                return known;
            }
            files.put(new Key(version.path(), version.state()), opened);
            return opened;
        } finally {
            lock.unlock();
        }
    }

    void release(OpenFile file) {
        lock.lock();
        try {
            file.readers--;
            if (file.readers > 0) {
                return;
            }
            forget(file);
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

    /** Nobody joins those who read it any more. */
    void forget(OpenFile file) {
        FileVersion version = file.version();
        lock.lock();
        try {
            files.remove(new Key(version.path(), version.state()), file);
        } finally {
            lock.unlock();
        }
    }

    int count() {
        lock.lock();
        try {
            return files.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says whether the system has seen nobody write to a file.
     *
     * @return false when that cannot be told: it has grown, has another mode, or another file has
     *     its name
     * @throws IOException when it was written to otherwise
     */
    boolean isUntouched(FileVersion version) throws IOException {
        FileState now;
        try {
            now = FileState.at(version.path());
        } catch (IOException e) {
            return false;
        }
        if (!now.isSameFile(version.state())) {
            return false;
        }
        if (!now.hasSameContent(version.state()) && now.size() <= version.size()) {
            throw new IOException("the file was changed while it was sent");
        }
        return now.equals(version.state());
    }
}
