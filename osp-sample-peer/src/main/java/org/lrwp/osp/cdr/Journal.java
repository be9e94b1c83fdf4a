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
import java.util.concurrent.TimeoutException;
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

    /**
     * An entry and who waits for it, null for nobody; no octets: somebody wants the segment sealed.
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Waiting(byte @Nullable [] octets, @Nullable CompletableFuture<Boolean> done) {}

    private final Segments segments;
    private final Consumer<String> log;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition come = lock.newCondition();
    private final AtomicLong octets;
    private volatile long most;
    private final Thread writer;
    // Guarded by the lock.
    private boolean closing;
    private List<Waiting> queue = new ArrayList<>();
    private boolean awaited;

    Journal(Path folder, long most, Consumer<String> log) throws IOException {
        this.segments = new Segments(folder);
        this.most = most;
        this.log = log;
        this.octets = new AtomicLong(segments.octets());
        this.writer = Thread.ofPlatform().daemon().name("osp-journal").start(this::write);
    }

    /** Sets the most octets that may wait. */
    void limit(long octetsAtMost) {
        most = octetsAtMost;
    }

    /** Takes an entry; it lasts when the result has been waited for. */
    Kept append(byte[] entry) throws NotKeptException {
        reserve(entry);
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        queue(new Waiting(entry, done));
        return () -> await(done);
    }

    /** Takes an entry nobody waits for: the end of the process keeps it, a crash may lose it. */
    void appendUnawaited(byte[] entry) throws NotKeptException {
        reserve(entry);
        queue(new Waiting(entry, null));
    }

    private void reserve(byte[] entry) throws NotKeptException {
        int length = Segments.HEAD + entry.length;
        if (octets.addAndGet(length) > most) {
            octets.addAndGet(-length);
            throw noRoom();
        }
    }

    private static NotKeptException noRoom() {
        return new NotKeptException("there is no room for usage at the moment");
    }

    /** Wakes the writer only for what changes how long it sleeps. */
    private void queue(Waiting waiting) throws NotKeptException {
        lock.lock();
        try {
            if (closing) {
                throw noRoom();
            }
            boolean news = queue.isEmpty();
            queue.add(waiting);
            if (waiting.done() != null && !awaited) {
                awaited = true;
                news = true;
            }
            if (news) {
                come.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void await(CompletableFuture<Boolean> done) throws NotKeptException {
        try {
            if (done.get(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException failed) {
            // Not kept, like an entry that could not be written.
        }
        throw new NotKeptException("usage cannot be kept at the moment");
    }

    /** Seals what was written so far and returns what waits to be read, oldest first; blocks. */
    List<Path> sealed() {
        try {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            queue(new Waiting(null, done));
            done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return segments.sealed();
        } catch (NotKeptException closed) {
            // The writer has sealed the last one, or does so before close() returns.
            return segments.sealed();
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException failed) {
            log.accept("journal-unreadable reason=\"" + failed.getMessage() + "\"");
        }
        return List.of();
    }

    /** A segment has been taken away whole. */
    void done(Path segment) throws IOException {
        octets.addAndGet(-segments.delete(segment));
    }

    /** How many octets wait to be taken away. */
    long octets() {
        return octets.get();
    }

    private void write() {
        for (List<Waiting> all = take(); !all.isEmpty(); all = take()) {
            for (int from = 0; from < all.size(); from += MOST_AT_ONCE) {
                write(all.subList(from, Math.min(all.size(), from + MOST_AT_ONCE)));
            }
        }
        segments.seal();
    }

    /** Waits for entries; none when the journal is closed and all are written. */
    private List<Waiting> take() {
        lock.lock();
        try {
            while (queue.isEmpty() && !closing) {
                come.awaitUninterruptibly();
            }
            long left = GATHER_NANOS;
            while (left > 0 && !awaited && !closing) {
                left = come.awaitNanos(left);
            }
        } catch (InterruptedException early) {
            // Nobody does so; what is there is written a little earlier.
        } finally {
            lock.unlock();
        }
        return takeAll();
    }

    private List<Waiting> takeAll() {
        lock.lock();
        try {
            List<Waiting> all = queue;
            queue = new ArrayList<>();
            awaited = false;
            return all;
        } finally {
            lock.unlock();
        }
    }

    private void write(List<Waiting> batch) {
        boolean kept = true;
        try {
            append(batch);
        } catch (IOException failed) {
            kept = false;
            log.accept("journal-failed reason=\"" + failed.getMessage() + "\"");
            // What is in the file now nobody knows; the next entry begins another.
            segments.seal();
            long lost = 0;
            for (Waiting each : batch) {
                lost += each.octets() == null ? 0 : Segments.HEAD + each.octets().length;
            }
            octets.addAndGet(-lost);
        }
        if (batch.stream().anyMatch(each -> each.octets() == null)) {
            segments.seal();
        }
        for (Waiting each : batch) {
            if (each.done() != null) {
                each.done().complete(kept);
            }
        }
    }

    private void append(List<Waiting> batch) throws IOException {
        List<byte[]> entries = new ArrayList<>(batch.size());
        boolean lasting = false;
        for (Waiting each : batch) {
            if (each.octets() != null) {
                entries.add(each.octets());
                lasting |= each.done() != null;
            }
        }
        if (!entries.isEmpty() && segments.append(entries, lasting) > SEGMENT) {
            segments.seal();
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
