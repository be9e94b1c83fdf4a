package org.lrwp.webapp.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.json.Json;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.files.Rotation;
import org.lrwp.webapp.config.LogConfig;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

class AccessLogTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));
    private static final ExchangeRecord RECORD =
            new ExchangeRecord(
                    "id-1",
                    "::1",
                    "GET",
                    "/x\"\n",
                    "/x",
                    "p:1",
                    200,
                    1,
                    2,
                    3_000,
                    4_000,
                    5_000,
                    1,
                    "edge",
                    "answered");

    private static final Rotation NEVER = new Rotation(0, 1);

    @TempDir Path folder;

    private List<String> lines(boolean json, int count) throws IOException {
        Path file = folder.resolve("access.log");
        try (var log = AccessLog.start(new LogConfig(true, json, file, NEVER, 100), CLOCK)) {
            for (int i = 0; i < count; i++) {
                log.ended(RECORD);
            }
        }
        return Files.readAllLines(file);
    }

    @Test
    void eachExchangeIsALineOfText() throws IOException {
        List<String> lines = lines(false, 3);

        assertEquals(3, lines.size());
        assertEquals(
                "exchange time=2026-01-02T03:04:05Z id=id-1 client=::1 request=\"GET /x\\x22\\x0a\""
                        + " context=\"/x\" peer=\"p:1\" status=200 in=1 out=2 queue-us=3 peer-us=4"
                        + " total-us=5 retries=1 way=edge reason=answered",
                lines.getFirst());
    }

    @Test
    void itIsTurnedOnAndItsFormChangedWhileItRuns() throws IOException {
        Path file = folder.resolve("access.log");
        try (var log = AccessLog.start(new LogConfig(false, false, file, NEVER, 100), CLOCK)) {
            log.ended(RECORD);
            log.use(new LogConfig(true, true, file, NEVER, 100));
            log.ended(RECORD);
        }
        List<String> lines = Files.readAllLines(file);

        assertEquals(1, lines.size());
        assertTrue(lines.getFirst().startsWith("{"), lines.getFirst());
    }

    @Test
    void lineForALoggerLeavesTheTimeToIt() {
        var line = new AccessLine(Instant.parse("2026-01-02T03:04:05Z"), RECORD);

        assertTrue(line.text(false).startsWith("exchange id=id-1 "), line.text(false));
        assertFalse(line.json(false).contains("2026"), line.json(false));
        assertTrue(line.json(true).contains("\"time\":\"2026-01-02T03:04:05Z\""));
    }

    @Test
    void eachExchangeIsALineOfJson() throws IOException {
        var json = Json.createReader(new StringReader(lines(true, 1).getFirst())).readObject();

        assertEquals("id-1", json.getString("id"));
        assertEquals("/x\\x22\\x0a", json.getString("target"));
        assertEquals(5, json.getInt("total-us"));
        assertEquals("edge", json.getString("way"));
    }

    private static LogConfig to(@Nullable Path file, boolean enabled, int queue) {
        return new LogConfig(enabled, false, file, NEVER, queue);
    }

    @Test
    void linesAreAppendedToTheFile() throws IOException {
        lines(false, 1);

        assertEquals(2, lines(false, 1).size());
    }

    @Test
    void fileThatCannotBeWrittenIsAFault() {
        assertThrows(
                IOException.class,
                () -> AccessLog.start(to(folder.resolve("no/access.log"), true, 1), CLOCK));
    }

    @Test
    void logThatIsOffWritesNothing() throws IOException {
        Path file = folder.resolve("access.log");
        try (var log = AccessLog.start(to(file, false, 1), CLOCK)) {
            log.ended(RECORD);
            log.ended(RECORD);
            assertEquals(0, log.dropped());
        }
        assertTrue(Files.notExists(file));
    }

    @Test
    void linesAboveTheQueueAreCountedNotWaitedFor() throws IOException {
        Path file = folder.resolve("access.log");
        int told = 20_000;
        long dropped;
        try (var log = AccessLog.start(to(file, true, 1), CLOCK)) {
            for (int i = 0; i < told; i++) {
                log.ended(RECORD);
            }
            dropped = log.dropped();
        }

        assertTrue(dropped > 0);
        assertEquals(told, dropped + Files.readAllLines(file).size());
    }

    @Test
    void fullFilesAreKeptAndNewOnesBegun() throws IOException {
        Path file = folder.resolve("access.log");
        for (int i = 0; i < 3; i++) {
            try (var log =
                    AccessLog.start(
                            new LogConfig(true, false, file, new Rotation(10, 2), 10), CLOCK)) {
                log.ended(RECORD);
            }
        }
        for (String name : new String[] {"access.log", "access.log.1", "access.log.2"}) {
            assertEquals(1, Files.readAllLines(folder.resolve(name)).size(), name);
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(folder.resolve(name))));
        }
    }

    @Test
    void afterReopenLinesGoToANewFile() throws IOException {
        Path file = folder.resolve("access.log");
        try (var log = AccessLog.start(to(file, true, 10), CLOCK)) {
            Files.move(file, folder.resolve("renamed"));
            log.reopen();
            log.ended(RECORD);
        }
        assertEquals(1, Files.readAllLines(file).size());
        assertEquals(0, Files.size(folder.resolve("renamed")));
    }

    @Test
    void withoutAFileLinesGoToTheLogger() throws IOException {
        try (var log = AccessLog.start(to(null, true, 10), CLOCK)) {
            log.ended(RECORD);
            assertEquals(0, log.dropped());
        }
    }
}
