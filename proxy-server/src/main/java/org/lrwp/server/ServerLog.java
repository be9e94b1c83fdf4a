package org.lrwp.server;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.FileFault;
import org.lrwp.files.Rotation;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Who sees which log line. The console shows the proxy's own ({@code org.lrwp}) from INFO on. The
 * container's, from WARNING on, go to the log file; without a file the console shows its errors
 * once the server is ready. What is written to {@code System.out} and {@code System.err} goes the
 * way of the container's.
 */
final class ServerLog implements AutoCloseable {
    private static final String OWN = "org.lrwp";

    /** Lines that wait for a slow disk or terminal; further ones are dropped. */
    private static final int MOST_WAITING = 8_192;

    private final PrintStream console;
    private final @Nullable LogFile file;
    private final StartWatch watch = new StartWatch();
    private final List<LogQueue> queues = new ArrayList<>();
    private volatile boolean ready;

    /** The JDK keeps loggers weakly; these carry levels. */
    private final List<Logger> configured;

    private ServerLog(PrintStream console, @Nullable LogFile file) {
        this.console = console;
        this.file = file;
        this.configured =
                List.of(
                        level("", Level.WARNING),
                        level(OWN, Level.INFO),
                        // They warn at each start: of white space in a descriptor whose schema is
                        // not read, and of a broker that is not there.
                        level("jakarta.enterprise.system.tools.deployment.dol", Level.SEVERE),
                        level("jakarta.enterprise.resource.jms", Level.SEVERE),
                        level("stdout", Level.INFO),
                        level("stderr", Level.INFO));
    }

    /**
     * Replaces the handlers of the JVM's root logger and the JVM's output streams.
     *
     * @param console where the proxy's own lines go
     * @param file where all lines go, or null
     * @param rotation when that file rotates
     * @throws StartFault when the file cannot be written
     */
    static ServerLog install(PrintStream console, @Nullable Path file, Rotation rotation)
            throws StartFault {
        LogFile opened = file == null ? null : open(console, file, rotation);
        ServerLog log = new ServerLog(console, opened);
        Logger root = log.configured.getFirst();
        for (Handler old : root.getHandlers()) {
            root.removeHandler(old);
        }
        log.writeTo("console", log.new ConsoleLines());
        root.addHandler(log.watch);
        if (opened != null) {
            log.writeTo("file", opened);
        }
        System.setOut(lines("stdout", Level.INFO));
        System.setErr(lines("stderr", Level.WARNING));
        return log;
    }

    private void writeTo(String name, Handler target) {
        LogQueue queue = new LogQueue(name, target, MOST_WAITING);
        queue.setFilter(ServerLog::isNews);
        queues.add(queue);
        configured.getFirst().addHandler(queue);
    }

    /** Peers that the server's own warm-up has made come and go are none. */
    private static boolean isNews(LogRecord record) {
        return record.getLevel().intValue() >= Level.WARNING.intValue() || !WarmUp.isHere();
    }

    /** Waits until what has been logged is written, seconds at most. */
    void flush() {
        queues.forEach(LogQueue::flush);
    }

    /** What went wrong with the start, as far as it was logged. */
    StartWatch startWatch() {
        return watch;
    }

    /** From now on the container's errors are the user's business too. */
    void serverIsReady() {
        ready = true;
        configured.getFirst().removeHandler(watch);
    }

    /** Opens the log file anew: somebody has renamed it. */
    void reopen() {
        LogFile opened = file;
        if (opened != null) {
            opened.reopen();
        }
    }

    /** Writes what has been logged and closes the log file; what comes later is lost. */
    @Override
    public void close() {
        for (LogQueue queue : queues) {
            configured.getFirst().removeHandler(queue);
            queue.close();
        }
    }

    private static LogFile open(PrintStream console, Path file, Rotation rotation)
            throws StartFault {
        try {
            return new LogFile(file.toAbsolutePath(), rotation, console);
        } catch (IOException e) {
            throw new StartFault(
                    "the log file %s (--log-file) cannot be written: %s"
                            .formatted(file, FileFault.reason(e)));
        }
    }

    private static Logger level(String name, Level level) {
        Logger logger = Logger.getLogger(name);
        logger.setLevel(level);
        return logger;
    }

    private static PrintStream lines(String name, Level level) {
        return new PrintStream(
                new LineStream(Logger.getLogger(name), level), true, StandardCharsets.UTF_8);
    }

    private final class ConsoleLines extends Handler {
        /** What a pipe takes in one piece: others may write to it too. */
        private static final int MOST_WAITING_CHARS = 4_096;

        private final LineFormatter form = new LineFormatter(false);

        /** Lines that are not written yet; its queue's thread's own. */
        private final StringBuilder lines = new StringBuilder();

        @Override
        public void publish(LogRecord record) {
            int before = lines.length();
            form.write(record, lines);
            if (lines.length() > MOST_WAITING_CHARS) {
                print(before);
            }
        }

        @Override
        public boolean isLoggable(LogRecord record) {
            String name = String.valueOf(record.getLoggerName());
            boolean error = record.getLevel().intValue() >= Level.SEVERE.intValue();
            if (name.equals(OWN) || name.startsWith(OWN + ".")) {
                // What keeps the server from starting is told once, in the sentence at the end.
                return ready || !error;
            }
            return ready && file == null && error;
        }

        @Override
        public void flush() {
            print(lines.length());
        }

        private void print(int chars) {
            console.append(lines, 0, chars).flush();
            lines.delete(0, chars);
        }

        @Override
        public void close() {
            flush();
        }
    }

    /** Turns what is printed into log records, one a line; a line is cut at 8 KiB. */
    private static final class LineStream extends OutputStream {
        private static final int LONGEST_LINE = 8192;
        private final Logger logger;
        private final Level level;
        private final StringBuilder line = new StringBuilder();

        /** A handler that reports its own failure prints: that must not come back here. */
        private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

        LineStream(Logger logger, Level level) {
            this.logger = logger;
            this.level = level;
        }

        @Override
        public void write(int value) {
            String full = null;
            synchronized (line) {
                if (value != '\n' && line.length() < LONGEST_LINE) {
                    line.append((char) (value & 0xff));
                } else {
                    full = line.toString();
                    line.setLength(0);
                }
            }
            if (full != null && !full.isBlank() && !inside.get()) {
                inside.set(true);
                try {
                    logger.log(level, "{0}", decoded(full));
                } finally {
                    inside.remove();
                }
            }
        }

        private static String decoded(String bytes) {
            return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        }
    }
}
