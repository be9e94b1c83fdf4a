package org.lrwp.server;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * One line for each record: time, level, message; a failure's kind behind it, its stack below if
 * asked.
 */
final class LineFormatter extends Formatter {
    /** As peers write it: the lines of both can be merged. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSxx")
                    .withZone(ZoneId.systemDefault());

    private final boolean withOrigin;

    /**
     * Makes a formatter.
     *
     * @param withOrigin whether the logger's name and the stack of a failure are written too
     */
    LineFormatter(boolean withOrigin) {
        this.withOrigin = withOrigin;
    }

    @Override
    public String format(LogRecord record) {
        StringBuilder line = new StringBuilder(160);
        TIME.formatTo(record.getInstant(), line);
        line.append(' ').append(level(record.getLevel())).append(' ');
        if (withOrigin) {
            line.append('[').append(record.getLoggerName()).append("] ");
        }
        line.append(formatMessage(record).strip().replaceAll("\\R\\s*", " | "));
        Throwable thrown = record.getThrown();
        if (thrown != null && !withOrigin) {
            line.append(" failure=").append(thrown.toString().replaceAll("\\R\\s*", " | "));
        }
        line.append(System.lineSeparator());
        if (thrown != null && withOrigin) {
            StringWriter stack = new StringWriter();
            thrown.printStackTrace(new PrintWriter(stack));
            line.append(stack);
        }
        return line.toString();
    }

    private static String level(Level level) {
        if (level.intValue() >= Level.SEVERE.intValue()) {
            return "ERROR";
        }
        if (level.intValue() >= Level.WARNING.intValue()) {
            return "WARN ";
        }
        return level.intValue() >= Level.INFO.intValue() ? "INFO " : "DEBUG";
    }
}
