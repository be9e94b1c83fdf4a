package org.lrwp.testkit.wire;

import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class or a package tells the log, until this is closed. */
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** Listens to a class from now on. */
    public LogLines(Class<?> of) {
        this(of.getName());
    }

    /** Listens to the classes of a package, and those below it, from now on. */
    public LogLines(String packageName) {
        logger = Logger.getLogger(packageName);
        logger.addHandler(this);
    }

    /** Waits for the next line. */
    public String take() throws InterruptedException {
        return lines.take();
    }

    /** The lines that have come and were not taken yet; takes them. */
    public List<String> drain() {
        List<String> drained = new ArrayList<>();
        lines.drainTo(drained);
        return drained;
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(MessageFormat.format(line.getMessage(), line.getParameters()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
