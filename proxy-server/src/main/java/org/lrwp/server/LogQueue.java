package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/**
 * Has a thread of its own write log lines: whoever logs never waits for a disk, or for a terminal
 * or pipe that nobody reads. Lines that find the queue full are dropped and counted, and a line
 * says how many as soon as there is room.
 */
final class LogQueue extends Handler {
    private static final long LONGEST_WAIT_MILLIS = 2_000;
    private static final int MOST_AT_ONCE = 256;

    /** What the thread gets when it is to end; nothing is logged with this level. */
    private static final LogRecord END = new LogRecord(Level.OFF, "end");

    /** Puts the values into a record's text. */
    private static final Formatter TEXT = new SimpleFormatter();

    private final Handler target;
    private final BlockingQueue<LogRecord> waiting;
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private volatile boolean closed;
    private long written;

    /**
     * Starts the thread.
     *
     * @param name of what is written to, for the thread
     * @param target writes; its own level and filter say what. It is flushed when all that has come
     *     so far is published to it
     * @param length lines that wait at most
     */
    LogQueue(String name, Handler target, int length) {
        this.target = target;
        this.waiting = new ArrayBlockingQueue<>(length);
        this.thread = Thread.ofPlatform().daemon().name("lrwp-log-" + name).start(this::write);
        setLevel(Level.ALL);
    }

    @Override
    public void publish(@Nullable LogRecord record) {
        if (record == null || closed || !isLoggable(record)) {
            return;
        }
        // What the line speaks of may change before the thread comes to it.
        record.setMessage(TEXT.formatMessage(record));
        record.setParameters(null);
        record.setResourceBundle(null);
        (waiting.offer(record) ? accepted : dropped).incrementAndGet();
    }

    @Override
    public boolean isLoggable(LogRecord record) {
        return super.isLoggable(record) && target.isLoggable(record);
    }

    private void write() {
        List<LogRecord> some = new ArrayList<>(MOST_AT_ONCE);
        try {
            do {
                some.clear();
                some.add(waiting.take());
                waiting.drainTo(some, MOST_AT_ONCE - 1);
                writeAll(some);
                // Something may have come behind the end, by who looked before it.
            } while (some.stream().noneMatch(LogQueue::isEnd));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeAll(List<LogRecord> some) {
        for (LogRecord record : some) {
            if (!isEnd(record)) {
                target.publish(record);
            }
        }
        tellDropped();
        target.flush();
        tellWritten(some.size());
    }

    private static boolean isEnd(LogRecord record) {
        return record.getLevel().equals(Level.OFF);
    }

    private void tellDropped() {
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            var told = new LogRecord(Level.WARNING, "log-lines-dropped lines=" + lost);
            told.setLoggerName(LogQueue.class.getName());
            target.publish(told);
        }
    }

    private void tellWritten(int lines) {
        lock.lock();
        try {
            written += lines;
            idle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until what has been logged is written, two seconds at most. */
    @Override
    public void flush() {
        lock.lock();
        try {
            long end = accepted.get();
            long left = TimeUnit.MILLISECONDS.toNanos(LONGEST_WAIT_MILLIS);
            while (written < end && left > 0) {
                left = idle.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Writes what waits, for two seconds at most, and ends the thread. Later lines are lost. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (waiting.offer(END, LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                thread.join(LONGEST_WAIT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        target.close();
    }
}
