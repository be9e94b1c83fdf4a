package org.lrwp.systemtests.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The lines that a process prints, with their times. They are read as they come, so that it never
 * waits to print more. Thread-safe.
 */
final class ProcessOutput {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private record Line(long nanos, String text) {}

    private final Process process;
    private final List<Line> lines = new ArrayList<>();
    private boolean ended;

    ProcessOutput(Process process) {
        this.process = process;
        OutputReader.start(this::collect);
    }

    private void collect() {
        try (BufferedReader output = process.inputReader(StandardCharsets.ISO_8859_1)) {
            for (String text = output.readLine(); text != null; text = output.readLine()) {
                synchronized (this) {
                    lines.add(new Line(System.nanoTime(), text));
                }
            }
        } catch (IOException e) {
            // The test has ended the process.
        }
        synchronized (this) {
            ended = true;
        }
    }

    /** Waits for so many lines that contain a text. */
    void await(int count, String text) throws Exception {
        Wait.until(PATIENCE, () -> isDecided(count, text));
        if (lines(text) < count) {
            throw new AssertionError("the peer did not print " + text + ": " + this);
        }
    }

    private synchronized boolean isDecided(int count, String text) {
        return ended || lines(text) >= count;
    }

    private synchronized long lines(String text) {
        return lines.stream().filter(line -> line.text().contains(text)).count();
    }

    /** When the first line came that contains a text, as of {@link System#nanoTime}. */
    synchronized OptionalLong time(String text) {
        return lines.stream()
                .filter(line -> line.text().contains(text))
                .mapToLong(Line::nanos)
                .findFirst();
    }

    @Override
    public synchronized String toString() {
        return lines.stream().map(Line::text).toList().toString();
    }
}
