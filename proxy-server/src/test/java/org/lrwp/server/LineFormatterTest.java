package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.logging.Level;
import java.util.logging.LogRecord;

final class LineFormatterTest {

    @ParameterizedTest
    @CsvSource({"SEVERE,ERROR", "WARNING,WARN", "INFO,INFO", "CONFIG,DEBUG", "FINE,DEBUG"})
    void levelHasAWord(String level, String word) {
        LogRecord record = new LogRecord(Level.parse(level), "event");

        String line = new LineFormatter(false).format(record);

        assertTrue(
                line.matches(
                        "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}[+-]\\d{4} "
                                + word
                                + " +event\\R"),
                line);
    }

    @Test
    void messageAndFailureStayOnOneLineOnTheConsole() {
        LogRecord record = new LogRecord(Level.WARNING, "first\n  second {0}");
        record.setParameters(new Object[] {"value"});
        record.setThrown(new IllegalStateException("bad\nthing"));

        String line = new LineFormatter(false).format(record);

        assertEquals(1, line.lines().count());
        assertTrue(
                line.strip()
                        .endsWith(
                                "first | second value failure=java.lang.IllegalStateException: bad"
                                        + " | thing"),
                line);
    }

    @Test
    void fileNamesTheLoggerAndHasTheStack() {
        LogRecord record = new LogRecord(Level.SEVERE, "event");
        record.setLoggerName("container.part");
        record.setThrown(new IllegalStateException("bad"));

        String text = new LineFormatter(true).format(record);

        assertTrue(text.contains("[container.part] event"), text);
        assertTrue(text.contains("\tat " + LineFormatterTest.class.getName()), text);
    }
}
