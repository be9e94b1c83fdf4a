package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;

@Timeout(30)
class LogQueueTest {
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final CountDownLatch reader = new CountDownLatch(1);
    private final AtomicInteger flushes = new AtomicInteger();

    /** A terminal that takes nothing until somebody reads it. */
    private final class Terminal extends Handler {
        private final boolean stuck;

        Terminal(boolean stuck) {
            this.stuck = stuck;
        }

        @Override
        public void publish(LogRecord record) {
            try {
                if (stuck) {
                    reader.await();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            written.add(record.getMessage());
        }

        @Override
        public void flush() {
            flushes.incrementAndGet();
        }

        @Override
        public void close() {
            written.add("closed");
        }
    }

    private static LogRecord line(String text, Object... values) {
        var record = new LogRecord(Level.INFO, text);
        record.setParameters(values);
        return record;
    }

    @Test
    void linesAreWrittenInOrderWithTheValuesOfTheirTime() {
        var log = new LogQueue("test", new Terminal(false), 100);
        var counted = new StringBuilder("1");
        log.publish(line("first n={0}", counted));
        counted.append("0");
        log.publish(line("second n={0}", counted));
        log.flush();
        assertEquals(List.of("first n=1", "second n=10"), written);

        log.publish(line("third"));
        log.close();
        log.publish(line("after the end"));
        assertEquals(List.of("first n=1", "second n=10", "third", "closed"), written);
    }

    @Test
    void whoeverLogsDoesNotWaitForATerminalThatNobodyReads() {
        var log = new LogQueue("test", new Terminal(true), 3);
        for (int i = 0; i < 50; i++) {
            log.publish(line("line {0}", i));
        }
        assertEquals(List.of(), written);

        reader.countDown();
        log.close();
        // What came first, what waited behind it, and the end.
        assertTrue(flushes.get() <= 3, flushes + " pieces");
        assertEquals("line 0", written.getFirst());
        assertEquals("closed", written.getLast());
        List<String> told =
                written.stream().filter(text -> text.startsWith("log-lines-dropped")).toList();
        long lines = written.stream().filter(text -> text.startsWith("line ")).count();
        assertEquals(List.of("log-lines-dropped lines=" + (50 - lines)), told);
        // The first, those that it took with it, and as many as may wait.
        assertTrue(lines >= 3 && lines <= 7, "" + lines);
    }
}
