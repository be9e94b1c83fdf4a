package org.lrwp.server;

import org.jspecify.annotations.Nullable;

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

    /** What the thread gets when it is to end; nothing is logged with this level. */
    private static final LogRecord END = new LogRecord(Level.OFF, "end");

    /** Puts the values into a record's text. */
    private static final Formatter TEXT = new SimpleFormatter();

    private final Handler target;
    private final BlockingQueue<LogRecord> waiting;
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private volatile boolean closed;
    private long accepted;
    private long written;

    /**
     * Starts the thread.
     *
     * @param name of what is written to, for the thread
     * @param target writes; its own level and filter say what
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
        if (record == null || closed || !target.isLoggable(record)) {
            return;
        }
        // What the line speaks of may change before the thread comes to it.
        record.setMessage(TEXT.formatMessage(record));
        record.setParameters(null);
        record.setResourceBundle(null);
        lock.lock();
        try {
            if (waiting.offer(record)) {
                accepted++;
            } else {
                dropped.incrementAndGet();
            }
        } finally {
            lock.unlock();
        }
    }

    private void write() {
        try {
            for (LogRecord next = waiting.take();
                    !next.getLevel().equals(Level.OFF);
                    next = waiting.take()) {
                target.publish(next);
                tellDropped();
                tellWritten();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tellDropped() {
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            var told = new LogRecord(Level.WARNING, "log-lines-dropped lines=" + lost);
            told.setLoggerName(LogQueue.class.getName());
            target.publish(told);
        }
    }

    private void tellWritten() {
        lock.lock();
        try {
            written++;
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
            long end = accepted;
            long left = TimeUnit.MILLISECONDS.toNanos(LONGEST_WAIT_MILLIS);
            while (written < end && left > 0) {
                left = idle.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        target.flush();
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
