package org.lrwp.server;

import org.lrwp.files.FileFault;
import org.lrwp.files.RotatingFile;
import org.lrwp.files.Rotation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * The log file of the server: records are written when it is flushed, all in one piece, by the
 * thread of its {@link LogQueue}. When the file cannot be written the console says so, once until
 * it can again.
 */
final class LogFile extends Handler {
    private final Path path;
    private final PrintStream console;
    private final ReentrantLock lock = new ReentrantLock();
    private final RotatingFile file;
    private final LineFormatter form = new LineFormatter(true);

    /** Lines that are not written yet. */
    private final StringBuilder lines = new StringBuilder();

    private boolean failing;
    private boolean closed;

    /**
     * Opens the file, or makes it.
     *
     * @throws IOException when it cannot be written, or is not this user's alone
     */
    LogFile(Path path, Rotation rotation, PrintStream console) throws IOException {
        this.path = path;
        this.console = console;
        this.file =
                new RotatingFile(
                        path,
                        rotation,
                        why -> tell("rotated", why),
                        this::exposed,
                        InstantSource.system());
        setLevel(Level.ALL);
    }

    @Override
    public void publish(LogRecord record) {
        if (!isLoggable(record)) {
            return;
        }
        lock.lock();
        try {
            if (!closed) {
                form.write(record, lines);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void flush() {
        lock.lock();
        try {
            writeLines();
        } finally {
            lock.unlock();
        }
    }

    private void writeLines() {
        if (lines.isEmpty()) {
            return;
        }
        byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
        lines.setLength(0);
        try {
            file.write(bytes);
            failing = false;
        } catch (IOException e) {
            failed(e);
        }
    }

    /** Opens what has the file's name now, or makes it. */
    void reopen() {
        lock.lock();
        try {
            if (!closed) {
                writeLines();
                file.reopen();
            }
        } catch (IOException e) {
            failed(e);
        } finally {
            lock.unlock();
        }
    }

    private void failed(IOException why) {
        if (!failing) {
            failing = true;
            tell("written", why);
        }
    }

    private void exposed(String how) {
        console.println("lrwp: warning: the log file " + how);
    }

    private void tell(String what, IOException why) {
        console.println(
                "lrwp: the log file " + path + " cannot be " + what + ": " + FileFault.of(why));
    }

    @Override
    public void close() {
        lock.lock();
        try {
            writeLines();
            closed = true;
            file.close();
        } catch (IOException e) {
            failed(e);
        } finally {
            lock.unlock();
        }
    }
}
