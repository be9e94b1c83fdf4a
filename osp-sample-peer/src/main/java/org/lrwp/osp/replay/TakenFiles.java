package org.lrwp.osp.replay;

import org.lrwp.osp.file.PrivateFiles;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Remembers in memory and in files. What may be forgotten in the same five minutes is in one file,
 * 16 bytes for each thing, which is deleted as a whole when its time is over; so nothing is ever
 * rewritten. A thing is forced to the disk before it counts as taken. Any thread may call it; the
 * folder is of one process at a time.
 */
public final class TakenFiles implements TakenOnce, AutoCloseable {
    private static final long SPAN_SECONDS = 300;
    private static final int LENGTH = 16;
    private static final String SUFFIX = ".taken";

    /** What is forgotten together. */
    private record Span(Path file, FileChannel channel, Set<ByteBuffer> ids) {}

    private final Path folder;
    private final int most;
    private final InstantSource clock;
    private final Consumer<String> log;
    private final ConcurrentSkipListMap<Long, Span> spans = new ConcurrentSkipListMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /** For opening a span: a second one would write over the first one's file. */
    private final ReentrantLock opening = new ReentrantLock();

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
        byte[] id = id(kind, content);
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
            // In one piece: the file is open for appending.
            span.channel().write(ByteBuffer.wrap(id));
            span.channel().force(false);
            return Outcome.FIRST;
        } catch (IOException failed) {
            // It stays in memory: whether it is on the disk nobody knows.
            log.accept("taken-failed reason=\"" + failed.getMessage() + "\"");
            return Outcome.NOT_KEPT;
        }
    }

    private static byte[] id(Kind kind, byte[] content) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((byte) kind.name().charAt(0));
            ByteBuffer id = ByteBuffer.wrap(digest.digest(content));
            byte[] first = new byte[LENGTH];
            id.get(first);
            return first;
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    private Span span(long number) throws IOException {
        Span there = spans.get(number);
        if (there != null) {
            return there;
        }
        opening.lock();
        try {
            Span opened = spans.get(number);
            if (opened == null) {
                opened = open(folder.resolve(number + SUFFIX));
                spans.put(number, opened);
                count.addAndGet(opened.ids().size());
            }
            return opened;
        } finally {
            opening.unlock();
        }
    }

    private static Span open(Path file) throws IOException {
        FileChannel channel =
                PrivateFiles.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (channel) {
            // A machine that stopped in the middle of an id leaves a part of it.
            channel.truncate(channel.size() - channel.size() % LENGTH);
        }
        Set<ByteBuffer> ids = ConcurrentHashMap.newKeySet();
        byte[] kept = Files.readAllBytes(file);
        for (int from = 0; from < kept.length; from += LENGTH) {
            byte[] id = new byte[LENGTH];
            System.arraycopy(kept, from, id, 0, LENGTH);
            ids.add(ByteBuffer.wrap(id));
        }
        return new Span(file, FileChannel.open(file, StandardOpenOption.APPEND), ids);
    }

    /** Deletes what is over: first those that have been over longest. */
    private void forget() {
        long now = Math.floorDiv(clock.instant().getEpochSecond(), SPAN_SECONDS);
        for (Map.Entry<Long, Span> oldest = spans.firstEntry();
                oldest != null && oldest.getKey() < now;
                oldest = spans.firstEntry()) {
            Span span = oldest.getValue();
            if (spans.remove(oldest.getKey(), span)) {
                count.addAndGet(-span.ids().size());
                try {
                    span.channel().close();
                    Files.deleteIfExists(span.file());
                } catch (IOException failed) {
                    log.accept("taken-failed reason=\"" + failed.getMessage() + "\"");
                }
            }
        }
    }

    /** Closes the files; what was taken stays. */
    @Override
    public void close() {
        for (Span each : spans.values()) {
            try {
                each.channel().close();
            } catch (IOException ignored) {
                // Everything that counts was forced before.
            }
        }
    }
}
