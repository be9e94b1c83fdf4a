package org.lrwp.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/**
 * Keeps the failures that are logged while the server starts: the container's own report of a
 * failed deployment has the message of the outermost exception only, and no cause.
 */
final class StartWatch extends Handler {
    private static final String OWN_CLASSES = "org.lrwp.";
    private static final int MOST = 50;

    private final List<Throwable> failures = new ArrayList<>();

    @Override
    public void publish(LogRecord record) {
        Throwable thrown = record.getThrown();
        if (thrown != null) {
            synchronized (failures) {
                if (failures.size() < MOST) {
                    failures.add(thrown);
                }
            }
        }
    }

    /**
     * The first logged failure's reason: the message of the first exception of ours in a chain of
     * causes, else of the last cause of the first chain.
     */
    Optional<String> reason() {
        List<Throwable> seen;
        synchronized (failures) {
            seen = List.copyOf(failures);
        }
        return seen.stream()
                .flatMap(failure -> chain(failure).stream())
                .filter(cause -> cause.getClass().getName().startsWith(OWN_CLASSES))
                .findFirst()
                .or(() -> seen.stream().findFirst().map(first -> chain(first).getLast()))
                .map(StartWatch::words);
    }

    private static String words(Throwable cause) {
        String message = cause.getMessage();
        return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable cause = failure;
                cause != null && chain.size() < MOST;
                cause = cause.getCause()) {
            chain.add(cause);
        }
        return chain;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
