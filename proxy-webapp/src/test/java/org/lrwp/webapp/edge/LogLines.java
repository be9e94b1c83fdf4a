package org.lrwp.webapp.edge;

import java.text.MessageFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class tells the log, until this is closed. */
final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    LogLines(Class<?> of) {
        logger = Logger.getLogger(of.getName());
        logger.addHandler(this);
    }

    /** Waits for the next line. */
    String take() throws InterruptedException {
        return lines.take();
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    int size() {
        return lines.size();
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

    @Override
    public String toString() {
        return lines.toString();
    }
}
