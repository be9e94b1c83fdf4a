package org.lrwp.webapp.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.files.Rotation;
import org.lrwp.webapp.config.LogConfig;
import org.lrwp.webapp.config.LogForm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

@Timeout(60)
class LineLogTest {
    private static final System.Logger LINES = System.getLogger("org.lrwp.test");
    private static final int PLACES = 10;

    @TempDir private Path folder;

    private LogConfig config() {
        return new LogConfig(
                true, LogForm.TEXT, folder.resolve("a.log"), new Rotation(0, false, 1), PLACES);
    }

    @Test
    void aFloodOfLinesThatMatterLessLeavesRoomForTheOthers() throws Exception {
        var busy = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        LineLog.Form<String> held =
                (entry, dated, to) -> {
                    busy.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    to.append(entry);
                };
        try (LineLog<String> log = LineLog.start("test", config(), held, LINES, true)) {
            log.add("first");
            busy.await();
            for (int i = 0; i < 100; i++) {
                log.addIfRoomy("refused");
            }
            for (int i = 0; i < PLACES / 2; i++) {
                log.add("done");
            }
            assertEquals(95, log.dropped());
            goOn.countDown();
        }
        List<String> lines = Files.readAllLines(folder.resolve("a.log"));
        assertEquals(PLACES / 2, lines.stream().filter("done"::equals).count());
    }

    @Test
    void linesThatWereDroppedForAFileThatCannotBeOpenedDoNotComeLater() throws Exception {
        Path later = folder.resolve("later");
        Path file = later.resolve("a.log");
        var offAtFirst = new LogConfig(false, LogForm.TEXT, file, new Rotation(0, false, 1), 10);
        var begun = new CountDownLatch(1);
        LineLog.Form<String> form =
                (entry, dated, to) -> {
                    to.append(entry);
                    if (entry.equals("lost")) {
                        begun.countDown();
                    } else {
                        makeFolder(later);
                    }
                };
        try (LineLog<String> log = LineLog.start("test", offAtFirst, form, LINES, false)) {
            log.add("lost");
            begun.await();
            log.add("written");
        }
        assertEquals(List.of("written"), Files.readAllLines(file));
    }

    private static void makeFolder(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void fileThatCannotBeWrittenIsToldInWordsForPeople() throws Exception {
        Path missing = folder.resolve("missing");
        Path file = missing.resolve("a.log");
        var offAtFirst = new LogConfig(false, LogForm.TEXT, file, new Rotation(0, false, 1), 10);
        List<String> told = new CopyOnWriteArrayList<>();
        var handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord line) {
                        told.add(new SimpleFormatter().formatMessage(line));
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        var logger = Logger.getLogger(LineLog.class.getName());
        logger.addHandler(handler);
        try (LineLog<String> log =
                LineLog.start(
                        "told-log", offAtFirst, (entry, _, to) -> to.append(entry), LINES, false)) {
            log.add("lost");
        } finally {
            logger.removeHandler(handler);
        }
        String reason = "the folder " + missing + " does not exist";
        assertTrue(
                told.contains("told-log-failed file=" + file + " reason=\"" + reason + '"'),
                told::toString);
    }

    @Test
    void whereOthersCanReplaceItALogIsWrittenAndEvidenceIsNot() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        LineLog.Form<String> form = (entry, dated, to) -> to.append(entry);
        var refusal =
                assertThrows(
                        IOException.class,
                        () -> LineLog.start("audit-log", config(), form, LINES, true));
        assertTrue(String.valueOf(refusal.getMessage()).contains("chmod o-w"), refusal::toString);
        try (LineLog<String> log = LineLog.start("access-log", config(), form, LINES, false)) {
            log.add("line");
        }
        assertEquals(List.of("line"), Files.readAllLines(folder.resolve("a.log")));
    }
}
