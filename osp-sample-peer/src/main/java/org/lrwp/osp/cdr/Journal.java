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
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Keeps entries in files until somebody has taken them away.
 *
 * <p>Design. Whoever appends puts its entry into a queue and waits. One thread takes all that wait,
 * writes them with one system call, forces them to the disk with another, and lets all of them go
 * on: the more come, the more share one force (group commit). Entries go into segments; the one
 * being written is sealed when somebody wants to read it or when it is full. A segment is deleted
 * only when its reader has said that it is done. After a crash the segments are found again; the
 * last entry of one may be torn, but then nobody was told that it is kept.
 *
 * <p>Any thread may append; one thread reads.
 */
final class Journal implements AutoCloseable {
    private static final long SEGMENT = 8L * 1024 * 1024;
    private static final int MOST_AT_ONCE = 4_096;
    private static final long PATIENCE_SECONDS = 30;

    /** An entry and who waits for it; no octets: somebody wants the segment sealed. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Waiting(byte @Nullable [] octets, CompletableFuture<Boolean> done) {}

    private final Segments segments;
    private final Consumer<String> log;
    private final LinkedBlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
    private final AtomicLong octets;
    private volatile long most;
    private final Thread writer;
    private volatile boolean closing;

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
        int length = Segments.HEAD + entry.length;
        if (closing || octets.addAndGet(length) > most) {
            octets.addAndGet(-length);
            throw new NotKeptException("there is no room for usage at the moment");
        }
        Waiting waiting = new Waiting(entry, new CompletableFuture<>());
        queue.add(waiting);
        return () -> await(waiting.done());
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
            if (!closing) {
                CompletableFuture<Boolean> done = new CompletableFuture<>();
                queue.add(new Waiting(null, done));
                done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
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
        List<Waiting> batch = new ArrayList<>();
        while (!(closing && queue.isEmpty())) {
            try {
                batch.clear();
                batch.add(queue.take());
                queue.drainTo(batch, MOST_AT_ONCE);
                write(batch);
            } catch (InterruptedException ended) {
                // close() wakes the thread; what is in the queue is still written.
            }
        }
        segments.seal();
    }

    private void write(List<Waiting> batch) {
        boolean kept = true;
        try {
            List<byte[]> entries = new ArrayList<>(batch.size());
            for (Waiting each : batch) {
                if (each.octets() != null) {
                    entries.add(each.octets());
                }
            }
            if (!entries.isEmpty() && segments.append(entries) > SEGMENT) {
                segments.seal();
            }
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
            each.done().complete(kept);
        }
    }

    /** Writes what waits and ends. */
    @Override
    public void close() {
        closing = true;
        writer.interrupt();
        try {
            writer.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
        }
    }
}
