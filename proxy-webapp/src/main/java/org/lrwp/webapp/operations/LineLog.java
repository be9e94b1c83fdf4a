package org.lrwp.webapp.operations;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.FileFault;
import org.lrwp.files.RotatingFile;
import org.lrwp.webapp.config.LogConfig;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes a line for each entry, by a thread of its own: whoever adds one only adds to a queue. When
 * the queue is full, or the disk takes no more, lines are dropped and counted, and the main log
 * says so: once when writing fails, and how many were lost as soon as it goes on. Thread-safe.
 *
 * @param <T> an entry
 */
final class LineLog<T> implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LineLog.class.getName());
    private static final OutputStream STANDARD_OUTPUT = new FileOutputStream(FileDescriptor.out);
    private static final int MOST_AT_ONCE = 512;
    private static final long LOOK_MILLIS = 200;
    private static final long GATHER_MILLIS = 5;

    private final String name;
    private final Form<T> form;
    private final System.Logger lines;
    private final boolean evidence;
    private final boolean standardOutput;
    private final LogConfig config;
    private final BlockingQueue<T> waiting;
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean reopen;

    /** Once the thread runs it is that thread's. */
    private @Nullable RotatingFile file;

    /** Of lines that are written next; the thread's own. */
    private final StringBuilder text = new StringBuilder();

    private boolean failing;
    private long told;

    /** Writes the text of an entry; called by the log's thread. */
    @FunctionalInterface
    interface Form<T> {
        /** Without line end; dated means with the time, which a logger adds by itself. */
        void write(T entry, boolean dated, StringBuilder to);

        /** Its line is dropped; any thread. */
        default void dropped(T entry) {}
    }

    private LineLog(
            String name, LogConfig config, Form<T> form, System.Logger lines, boolean evidence)
            throws IOException {
        this.evidence = evidence;
        this.standardOutput = !evidence && config.isStandardOutput();
        this.name = name;
        this.config = config;
        this.form = form;
        this.lines = lines;
        this.waiting = new ArrayBlockingQueue<>(config.queueLength());
        Path path = config.file();
        this.file = path == null || standardOutput || !config.enabled() ? null : open(path);
        this.thread = Thread.ofPlatform().daemon().name("lrwp-" + name).unstarted(this::write);
    }

    /**
     * Opens the log and starts its thread.
     *
     * @param name of its lines in the main log, for example {@code access-log}
     * @param lines gets the lines when there is no file
     * @param evidence whether a file is refused that others can write or replace; else it is told
     * @throws IOException when the file cannot be opened
     */
    static <T> LineLog<T> start(
            String name, LogConfig config, Form<T> form, System.Logger lines, boolean evidence)
            throws IOException {
        var log = new LineLog<T>(name, config, form, lines, evidence);
        log.thread.start();
        return log;
    }

    private RotatingFile open(Path path) throws IOException {
        return new RotatingFile(
                path,
                config.rotation(),
                why ->
                        LOG.log(
                                Level.WARNING,
                                "{0}-not-rotated file={1} reason=\"{2}\"",
                                name,
                                path,
                                why),
                evidence ? null : this::exposed,
                InstantSource.system());
    }

    private void exposed(String how) {
        LOG.log(Level.WARNING, "{0}-exposed reason=\"{1}\"", name, how);
    }

    /** Adds an entry, or drops it when too many wait. */
    void add(T entry) {
        add(entry, true);
    }

    /** Adds an entry, or drops it when half of the places are taken, so that others find one. */
    void addIfRoomy(T entry) {
        add(entry, waiting.remainingCapacity() > config.queueLength() / 2);
    }

    private void add(T entry, boolean wanted) {
        if (!wanted || !waiting.offer(entry)) {
            drop(List.of(entry));
        }
    }

    private void drop(List<T> entries) {
        entries.forEach(form::dropped);
        dropped.addAndGet(entries.size());
    }

    /** Lines that were dropped since the start. */
    long dropped() {
        return dropped.get();
    }

    /** The thread opens the file anew, within a moment. */
    void reopen() {
        reopen = true;
    }

    private void write() {
        List<T> entries = new ArrayList<>(MOST_AT_ONCE);
        try {
            while (!isClosed() || !waiting.isEmpty()) {
                T first = waiting.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                reopenIfAsked();
                if (first != null) {
                    gather();
                    entries.add(first);
                    waiting.drainTo(entries, MOST_AT_ONCE - 1);
                    writeAll(entries);
                    entries.clear();
                }
                tellDropped();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Lets a few more come, for as long as there is room: a thread that waits for entries has to be
     * woken for each of them by whoever adds it, which costs a busy server more than the line.
     */
    private void gather() throws InterruptedException {
        if (waiting.remainingCapacity() > config.queueLength() / 2) {
            var _ = closed.await(GATHER_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private void reopenIfAsked() {
        if (!reopen) {
            return;
        }
        reopen = false;
        RotatingFile open = file;
        try {
            if (open != null) {
                open.reopen();
                LOG.log(Level.INFO, "{0}-reopened file={1}", name, config.file());
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    private void writeAll(List<T> entries) {
        Path path = config.file();
        if (path == null) {
            logAll(entries);
            return;
        }
        if (standardOutput) {
            writeOut(entries);
            return;
        }
        for (T entry : entries) {
            addLine(entry);
        }
        byte[] block = taken().getBytes(StandardCharsets.UTF_8);
        try {
            RotatingFile open = file;
            if (open == null) {
                // It was off when it started.
                open = open(path);
                file = open;
            }
            open.write(block);
            failing = false;
        } catch (IOException e) {
            drop(entries);
            failed(e);
        }
    }

    private void logAll(List<T> entries) {
        if (lines.isLoggable(Level.INFO)) {
            for (T entry : entries) {
                form.write(entry, false, text);
                String line = taken();
                lines.log(Level.INFO, () -> line);
            }
        }
    }

    private void addLine(T entry) {
        form.write(entry, true, text);
        text.append('\n');
    }

    /** What was added, which is to be written now. */
    private String taken() {
        String taken = text.toString();
        text.setLength(0);
        return taken;
    }

    /** Each line by itself, past what the container makes of System.out: others write there too. */
    private void writeOut(List<T> entries) {
        int written = 0;
        try {
            for (T entry : entries) {
                addLine(entry);
                STANDARD_OUTPUT.write(taken().getBytes(StandardCharsets.UTF_8));
                written++;
            }
            failing = false;
        } catch (IOException e) {
            drop(entries.subList(written, entries.size()));
            failed(e);
        }
    }

    private void failed(IOException why) {
        if (!failing) {
            failing = true;
            LOG.log(
                    Level.ERROR,
                    "{0}-failed file={1} reason=\"{2}\"",
                    name,
                    config.file(),
                    FileFault.reason(why));
        }
    }

    private void tellDropped() {
        long now = dropped.get();
        if (now != told && (!failing || isClosed())) {
            LOG.log(Level.WARNING, "{0}-dropped lines={1}", name, Long.toString(now - told));
            told = now;
        }
    }

    /** Writes what waits and ends the thread; waits for it up to two seconds. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(2));
            RotatingFile open = file;
            if (open != null) {
                open.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            failed(e);
        }
    }
}
