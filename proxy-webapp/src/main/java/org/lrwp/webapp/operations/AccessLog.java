package org.lrwp.webapp.operations;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.webapp.config.AccessLogConfig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes a line for each exchange, by a thread of its own: whoever tells of an exchange only adds
 * to a queue. When the queue is full lines are dropped and counted. Thread-safe.
 */
public final class AccessLog implements ExchangeListener, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AccessLog.class.getName());
    private static final System.Logger LINES = System.getLogger("org.lrwp.access");
    private static final int MOST_AT_ONCE = 512;
    private static final long LOOK_MILLIS = 200;

    private final InstantSource clock;
    private final BlockingQueue<AccessLine> waiting;
    private final AtomicLong dropped = new AtomicLong();
    private final @Nullable Path path;
    private final Thread thread;
    private volatile AccessLogConfig config;
    private volatile boolean closed;

    /** Once the thread runs it is that thread's. */
    private @Nullable Writer file;

    private long told;

    private AccessLog(AccessLogConfig config, InstantSource clock) throws IOException {
        this.config = config;
        this.clock = clock;
        this.waiting = new ArrayBlockingQueue<>(config.queueLength());
        this.path = config.file();
        this.file = path == null || !config.enabled() ? null : open(path);
        this.thread = Thread.ofPlatform().daemon().name("lrwp-access-log").unstarted(this::write);
    }

    /**
     * Opens the log and starts its thread.
     *
     * @param config its form and place
     * @param clock for the time of each line
     * @return the running log
     * @throws IOException when the file cannot be opened
     */
    public static AccessLog start(AccessLogConfig config, InstantSource clock) throws IOException {
        var log = new AccessLog(config, clock);
        log.thread.start();
        return log;
    }

    private static Writer open(Path path) throws IOException {
        return Files.newBufferedWriter(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /**
     * Changes whether lines are written, and their form. Place and queue stay.
     *
     * @param next says both
     */
    public void use(AccessLogConfig next) {
        config = next;
    }

    @Override
    public void ended(ExchangeRecord exchange) {
        if (config.enabled() && !waiting.offer(new AccessLine(clock.instant(), exchange))) {
            dropped.incrementAndGet();
        }
    }

    /**
     * Returns how many lines were dropped.
     *
     * @return lines since the start
     */
    public long dropped() {
        return dropped.get();
    }

    private void write() {
        List<AccessLine> lines = new ArrayList<>(MOST_AT_ONCE);
        try {
            while (!closed || !waiting.isEmpty()) {
                AccessLine first = waiting.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    lines.add(first);
                    waiting.drainTo(lines, MOST_AT_ONCE - 1);
                    writeAll(lines);
                    lines.clear();
                }
                tellDropped();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeAll(List<AccessLine> lines) {
        try {
            Writer out = file;
            if (out == null && path != null) {
                // It was off when it started.
                out = open(path);
                file = out;
            }
            boolean json = config.json();
            for (AccessLine line : lines) {
                boolean dated = out != null;
                String text = json ? line.json(dated) : line.text(dated);
                if (out == null) {
                    LINES.log(Level.INFO, () -> text);
                } else {
                    out.write(text);
                    out.write('\n');
                }
            }
            if (out != null) {
                out.flush();
            }
        } catch (IOException | UncheckedIOException e) {
            dropped.addAndGet(lines.size());
            LOG.log(Level.ERROR, "access-log-failed reason={0}", e.toString());
        }
    }

    private void tellDropped() {
        long now = dropped.get();
        if (now != told) {
            LOG.log(Level.WARNING, "access-log-dropped lines={0}", Long.toString(now - told));
            told = now;
        }
    }

    /** Writes what waits and ends the thread; waits for it up to two seconds. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(2));
            Writer out = file;
            if (out != null) {
                out.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.log(Level.ERROR, "access-log-failed reason={0}", e.toString());
        }
    }
}
