package org.lrwp.osp.replay;

import org.lrwp.osp.file.PrivateFiles;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Remembers in memory and in files. What may be forgotten in the same five minutes is in one file,
 * 16 bytes for each thing, which is deleted as a whole when its time is over; so nothing is ever
 * rewritten. A thing is forced to the disk before it counts as taken. Any thread may call it; the
 * folder is of one process at a time.
 */
public final class TakenFiles implements TakenOnce {
    private static final long SPAN_SECONDS = 300;
    private static final int LENGTH = 16;
    private static final String SUFFIX = ".taken";

    /**
     * What is forgotten together. A stream, not a channel: a channel is closed for all when the
     * request of the thread that writes is cancelled.
     */
    private record Span(Path file, FileOutputStream out, Set<ByteBuffer> ids) {
        void write(byte[] id) throws IOException {
            // In one piece, at the end: the file is open for appending.
            out.write(id);
            out.getFD().sync();
        }
    }

    private final Path folder;
    private final int most;
    private final InstantSource clock;
    private final Consumer<String> log;
    private final AtomicInteger count = new AtomicInteger();

    /** By their time. Whoever has put one there opens its file; others wait for that. */
    private final ConcurrentSkipListMap<Long, CompletableFuture<Span>> spans =
            new ConcurrentSkipListMap<>();

    /**
     * Opens the folder with what an earlier process has left there.
     *
     * @param folder the folder; made when it does not exist
     * @param most how many things are remembered at most; at the limit nothing is taken
     * @param clock tells what may be forgotten
     * @param log takes a line when the disk fails
     * @throws IOException when the folder cannot be read or written
     */
    public TakenFiles(Path folder, int most, InstantSource clock, Consumer<String> log)
            throws IOException {
        this.folder = PrivateFiles.makeFolder(folder);
        this.most = most;
        this.clock = clock;
        this.log = log;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.toList()) {
                String name = String.valueOf(each.getFileName());
                if (name.matches("[0-9]{1,15}\\" + SUFFIX)) {
                    span(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())));
                }
            }
        }
        forget();
    }

    @Override
    public Outcome take(Kind kind, byte[] content, Instant until) {
        forget();
        byte[] id = kind.id(content);
        try {
            Span span = span(Math.floorDiv(until.getEpochSecond(), SPAN_SECONDS));
            ByteBuffer key = ByteBuffer.wrap(id);
            if (!span.ids().add(key)) {
                return Outcome.AGAIN;
            }
            if (count.incrementAndGet() > most) {
                count.decrementAndGet();
                span.ids().remove(key);
                return Outcome.NOT_KEPT;
            }
            span.write(id);
            return Outcome.FIRST;
        } catch (IOException failed) {
            // It stays in memory: whether it is on the disk nobody knows.
            log.accept("taken-failed reason=\"" + failed.getMessage() + "\"");
            return Outcome.NOT_KEPT;
        }
    }

    private Span span(long number) throws IOException {
        CompletableFuture<Span> mine = new CompletableFuture<>();
        CompletableFuture<Span> there = spans.putIfAbsent(number, mine);
        if (there != null) {
            try {
                return there.join();
            } catch (CompletionException failed) {
                throw new IOException(failed.getCause());
            }
        }
        try {
            Span opened = open(folder.resolve(number + SUFFIX));
            count.addAndGet(opened.ids().size());
            mine.complete(opened);
            return opened;
        } catch (IOException failed) {
            spans.remove(number, mine);
            mine.completeExceptionally(failed);
            throw failed;
        }
    }

    private static Span open(Path file) throws IOException {
        PrivateFiles.own(file);
        try (RandomAccessFile whole = new RandomAccessFile(file.toFile(), "rw")) {
            // A machine that stopped in the middle of an id leaves a part of it.
            whole.setLength(whole.length() - whole.length() % LENGTH);
        }
        Set<ByteBuffer> ids = ConcurrentHashMap.newKeySet();
        byte[] kept = Files.readAllBytes(file);
        for (int from = 0; from < kept.length; from += LENGTH) {
            byte[] id = new byte[LENGTH];
            System.arraycopy(kept, from, id, 0, LENGTH);
            ids.add(ByteBuffer.wrap(id));
        }
        return new Span(file, new FileOutputStream(file.toFile(), true), ids);
    }

    /** Deletes what is over: first those that have been over longest. */
    private void forget() {
        long now = Math.floorDiv(clock.instant().getEpochSecond(), SPAN_SECONDS);
        for (Map.Entry<Long, CompletableFuture<Span>> oldest = spans.firstEntry();
                oldest != null && oldest.getKey() < now && oldest.getValue().isDone();
                oldest = spans.firstEntry()) {
            if (spans.remove(oldest.getKey(), oldest.getValue())) {
                forget(oldest.getValue());
            }
        }
    }

    private void forget(CompletableFuture<Span> over) {
        if (over.isCompletedExceptionally()) {
            return;
        }
        Span span = over.join();
        count.addAndGet(-span.ids().size());
        try {
            span.out().close();
            Files.deleteIfExists(span.file());
        } catch (IOException failed) {
            log.accept("taken-failed reason=\"" + failed.getMessage() + "\"");
        }
    }

    /** Closes the files; what was taken stays. */
    @Override
    public void close() {
        for (CompletableFuture<Span> each : spans.values()) {
            if (each.isDone() && !each.isCompletedExceptionally()) {
                try {
                    each.join().out().close();
                } catch (IOException ignored) {
                    // Everything that counts was forced before.
                }
            }
        }
    }
}
