package org.lrwp.server;

import org.lrwp.files.LineTime;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;

/**
 * One line for each record: time, level, message; a failure's kind behind it, its stack below if
 * asked.
 */
final class LineFormatter extends Formatter {
    /** As peers write it: the lines of both can be merged. */
    private static final LineTime TIME = new LineTime(ZoneId.systemDefault(), "xx", 3);

    private static final Pattern LINE_BREAK = Pattern.compile("\\R\\s*");

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
        write(record, line);
        return line.toString();
    }

    /** Writes a record's line, with its end, behind what there is. */
    void write(LogRecord record, StringBuilder line) {
        TIME.append(record.getInstant(), line);
        line.append(' ').append(level(record.getLevel())).append(' ');
        if (withOrigin) {
            line.append('[').append(record.getLoggerName()).append("] ");
        }
        line.append(onOneLine(formatMessage(record).strip()));
        Throwable thrown = record.getThrown();
        if (thrown != null && !withOrigin) {
            line.append(" failure=").append(onOneLine(thrown.toString()));
        }
        line.append(System.lineSeparator());
        if (thrown != null && withOrigin) {
            StringWriter stack = new StringWriter();
            thrown.printStackTrace(new PrintWriter(stack));
            line.append(stack);
        }
    }

    /** Most texts have one line, which is found out in no time. */
    private static String onOneLine(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '\u0085' || c == '\u2028' || c == '\u2029') {
                return LINE_BREAK.matcher(text).replaceAll(" | ");
            }
        }
        return text;
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
