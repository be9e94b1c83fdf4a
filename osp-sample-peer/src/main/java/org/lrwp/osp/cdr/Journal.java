package org.lrwp.osp.cdr;

import org.jspecify.annotations.Nullable;
import org.lrwp.osp.usage.NotKeptException;
import org.lrwp.osp.usage.UsageKeeper.Kept;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Keeps entries in files until somebody has taken them away.
 *
 * <p>Design. Whoever appends puts its entry into a queue and waits. One thread takes all that wait,
 * writes them with one system call, forces them to the disk with another, and lets all of them go
 * on: the more come, the more share one force (group commit). An entry nobody waits for wakes
 * nobody: it is written with the next one that somebody waits for, at the latest 10 ms later, and
 * then without a force. Entries go into segments; the one being written is sealed when somebody
 * wants to read it or when it is full. A segment is deleted only when its reader has said that it
 * is done. After a crash the segments are found again; the last entries of one may be torn, but
 * then nobody was told that they are kept.
 *
 * <p>Any thread may append; one thread reads.
 */
final class Journal implements AutoCloseable {
    private static final long SEGMENT = 8L * 1024 * 1024;
    private static final int MOST_AT_ONCE = 4_096;
    private static final long PATIENCE_SECONDS = 30;

    /** How long an entry stays in memory that nobody waits for. */
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Entries that are written together. Guarded by the lock until the writer takes it. */
    private static final class Group {
        private final List<byte[]> entries = new ArrayList<>();

        /** Whether somebody waits for one of the entries: they are forced to the disk. */
        private boolean lasting;

        /** Whether the segment is sealed behind them. */
        private boolean sealing;

        /** Tells all who wait, once for the group; null while nobody does. */
        private @Nullable CompletableFuture<Boolean> done;

        boolean isEmpty() {
            return entries.isEmpty() && !sealing;
        }
    }

    private final Segments segments;
    private final Consumer<String> log;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition come = lock.newCondition();
    private final AtomicLong bytes;
    private volatile long most;
    private final Thread writer;
    // Guarded by the lock.
    private boolean closing;
    private Group queue = new Group();

    Journal(Path folder, long most, Consumer<String> log) throws IOException {
        this(folder, most, log, written -> written.force(false));
    }

    Journal(Path folder, long most, Consumer<String> log, Segments.Force force) throws IOException {
        this.segments = new Segments(folder, force);
        this.most = most;
        this.log = log;
        this.bytes = new AtomicLong(segments.bytes());
        this.writer = Thread.ofPlatform().daemon().name("osp-journal").start(this::write);
    }

    /** Sets the most bytes that may wait. */
    void limit(long bytesAtMost) {
        most = bytesAtMost;
    }

    /** Takes an entry; it lasts when the result has been waited for. */
    Kept append(byte[] entry) throws NotKeptException {
        reserve(entry);
        CompletableFuture<Boolean> done = queue(entry);
        return () -> await(done);
    }

    /** Takes an entry nobody waits for: the end of the process keeps it, a crash may lose it. */
    void appendUnawaited(byte[] entry) throws NotKeptException {
        reserve(entry);
        lock.lock();
        try {
            boolean first = open().isEmpty();
            queue.entries.add(entry);
            if (first) {
                come.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void reserve(byte[] entry) throws NotKeptException {
        int length = Segments.HEAD + entry.length;
        if (bytes.addAndGet(length) > most) {
            bytes.addAndGet(-length);
            throw noRoom();
        }
    }

    private static NotKeptException noRoom() {
        return new NotKeptException("there is no room for usage at the moment");
    }

    /** Queues an entry somebody waits for, or null to have the segment sealed. */
    private CompletableFuture<Boolean> queue(byte @Nullable [] entry) throws NotKeptException {
        lock.lock();
        try {
            Group group = open();
            if (entry == null) {
                group.sealing = true;
            } else {
                group.entries.add(entry);
                group.lasting = true;
            }
            CompletableFuture<Boolean> done = group.done;
            if (done == null) {
                // One limit of time for all: a timer for each who waits costs as much as the wait.
                done = new CompletableFuture<>();
                group.done = done.completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS);
                come.signal();
            }
            return done;
        } finally {
            lock.unlock();
        }
    }

    /** The group that takes entries now; with the lock. */
    private Group open() throws NotKeptException {
        if (closing) {
            throw noRoom();
        }
        return queue;
    }

    private static void await(CompletableFuture<Boolean> done) throws NotKeptException {
        try {
            if (done.get()) {
                return;
            }
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException failed) {
            // Not kept, like an entry that could not be written.
        }
        throw new NotKeptException("usage cannot be kept at the moment");
    }

    /** Seals what was written so far and returns what waits to be read, oldest first; blocks. */
    List<Path> sealed() {
        try {
            queue(null).get();
            return segments.sealed();
        } catch (NotKeptException closed) {
            // The writer has sealed the last one, or does so before close() returns.
            return segments.sealed();
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException failed) {
            log.accept("journal-unreadable reason=\"" + failed.getMessage() + "\"");
        }
        return List.of();
    }

    /** A segment has been taken away whole. */
    void done(Path segment) throws IOException {
        bytes.addAndGet(-segments.delete(segment));
    }

    /** How many bytes wait to be taken away. */
    long bytes() {
        return bytes.get();
    }

    private void write() {
        for (Group next = take(); !next.isEmpty(); next = take()) {
            write(next);
        }
        segments.seal();
    }

    /** Waits for entries; none when the journal is closed and all are written. */
    private Group take() {
        lock.lock();
        try {
            while (queue.isEmpty() && !closing) {
                come.awaitUninterruptibly();
            }
            gather();
            Group taken = queue;
            queue = new Group();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Waits a little for somebody who waits; under the lock. */
    private void gather() {
        try {
            long left = GATHER_NANOS;
            while (left > 0 && queue.done == null && !closing) {
                left = come.awaitNanos(left);
            }
        } catch (InterruptedException early) {
            // Nobody does so; what is there is written a little earlier.
        }
    }

    private void write(Group group) {
        List<byte[]> all = group.entries;
        boolean kept = true;
        for (int from = 0; from < all.size(); from += MOST_AT_ONCE) {
            int to = Math.min(all.size(), from + MOST_AT_ONCE);
            kept &= write(all.subList(from, to), group.lasting);
        }
        if (group.sealing) {
            segments.seal();
        }
        CompletableFuture<Boolean> done = group.done;
        if (done != null) {
            done.complete(kept);
        }
    }

    private boolean write(List<byte[]> entries, boolean lasting) {
        try {
            if (segments.append(entries, lasting) > SEGMENT) {
                segments.seal();
            }
            return true;
        } catch (IOException failed) {
            log.accept("journal-failed reason=\"" + failed.getMessage() + "\"");
            // What is in the file now nobody knows; the next entry begins another.
            segments.seal();
            long lost = 0;
            for (byte[] each : entries) {
                lost += Segments.HEAD + each.length;
            }
            bytes.addAndGet(-lost);
            return false;
        }
    }

    /** Writes what waits and ends. */
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            come.signal();
        } finally {
            lock.unlock();
        }
        try {
            writer.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
        }
    }
}
