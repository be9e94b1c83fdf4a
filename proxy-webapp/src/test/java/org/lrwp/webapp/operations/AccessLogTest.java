package org.lrwp.webapp.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.json.Json;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.RequestDetails;
import org.lrwp.files.Rotation;
import org.lrwp.webapp.config.AccessLogConfig;
import org.lrwp.webapp.config.LineTemplate;
import org.lrwp.webapp.config.LogConfig;
import org.lrwp.webapp.config.LogField;
import org.lrwp.webapp.config.LogForm;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

class AccessLogTest {
    private record Details() implements RequestDetails {
        @Override
        public String protocol() {
            return "HTTP/1.1";
        }

        @Override
        public boolean secure() {
            return true;
        }

        @Override
        public String tlsVersion() {
            return "TLSv1.3";
        }

        @Override
        public String tlsCipher() {
            return "TLS_AES_256_GCM_SHA384";
        }

        @Override
        public @Nullable String referer() {
            return null;
        }

        @Override
        public String userAgent() {
            return "a\"b";
        }
    }

    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));
    private static final ExchangeRecord RECORD =
            new ExchangeRecord(
                    "id-1",
                    "::1",
                    "GET",
                    () -> "/x\"\n",
                    "/x",
                    "p:1",
                    "billing",
                    200,
                    1,
                    2,
                    3_000,
                    4_000,
                    4_500,
                    5_000,
                    1,
                    "edge",
                    "",
                    "answered",
                    new Details());

    private static final Rotation NEVER = new Rotation(0, false, 1);

    @TempDir Path folder;

    private List<String> lines(boolean json, int count) throws IOException {
        Path file = folder.resolve("access.log");
        LogConfig place = place(true, json ? LogForm.JSON : LogForm.TEXT, file, 100);
        try (var log = AccessLog.start(config(place), CLOCK)) {
            for (int i = 0; i < count; i++) {
                log.ended(RECORD);
            }
        }
        return Files.readAllLines(file);
    }

    private static String written(Consumer<StringBuilder> line) {
        var text = new StringBuilder();
        line.accept(text);
        return text.toString();
    }

    @Test
    void eachExchangeIsALineOfText() throws IOException {
        List<String> lines = lines(false, 3);

        assertEquals(3, lines.size());
        assertEquals(
                "exchange time=2026-01-02T03:04:05.000000Z id=id-1 client=::1 request=\"GET"
                    + " /x\\x22\\x0a\" context=\"/x\" peer=\"p:1\" identity=\"billing\" status=200"
                    + " in=1 out=2 queue-us=3 peer-us=4 first-byte-us=4 total-us=5 retries=1"
                    + " tls=TLSv1.3/TLS_AES_256_GCM_SHA384 way=edge reason=answered",
                lines.getFirst());
    }

    @Test
    void whatTheResponseCacheDidIsInTheLineOfARequestThatItLeftToThePeer() {
        var line = new AccessLine(Instant.parse("2026-01-02T03:04:05Z"), RECORD.passed());

        String text = written(to -> line.text(false, to));
        assertTrue(text.contains(" cache=pass way=edge "), text);
        assertTrue(line.json(false).contains("\"cache\":\"pass\""), line.json(false));
    }

    @Test
    void whatTheResponseCacheDidIsInTheLineOfARequestThatItAnswered() {
        ExchangeRecord hit = took(1, 200, "cache-hit").by("/x", null);
        ExchangeRecord refused = took(1, 503, "no-peer").by("/x", null);

        assertEquals("hit", hit.cache());
        assertEquals("cache-hit", hit.reason());
        assertEquals("", refused.cache());
    }

    @Test
    void itIsTurnedOnAndItsFormChangedWhileItRuns() throws IOException {
        Path file = folder.resolve("access.log");
        try (var log = AccessLog.start(to(file, false, 100), CLOCK)) {
            log.ended(RECORD);
            log.use(config(place(true, LogForm.JSON, file, 100)));
            log.ended(RECORD);
        }
        List<String> lines = Files.readAllLines(file);

        assertEquals(1, lines.size());
        assertTrue(lines.getFirst().startsWith("{"), lines.getFirst());
    }

    @Test
    void lineOfARequestThatAnotherNodeHadNamesIt() {
        var there =
                new ExchangeRecord(
                        "id-1",
                        "::1",
                        "GET",
                        () -> "/x",
                        "/x",
                        "node:b",
                        "",
                        200,
                        1,
                        2,
                        3,
                        4,
                        4,
                        5,
                        1,
                        "edge",
                        "",
                        "answered",
                        new Details());
        var line = new AccessLine(Instant.parse("2026-01-02T03:04:05Z"), there);

        String text = written(to -> line.text(false, to));
        assertTrue(text.contains(" peer=\"node:b\" node=b status=200 "), text);
        assertTrue(line.json(false).contains("\"node\":\"b\""), line.json(false));
        assertEquals("b!", written(to -> OwnLine.text(line, LineTemplate.parse("{node}!"), to)));
        var here = new AccessLine(line.time(), RECORD);
        assertEquals("-", written(to -> OwnLine.text(here, LineTemplate.parse("{node}"), to)));
    }

    @Test
    void lineForALoggerLeavesTheTimeToIt() {
        var line = new AccessLine(Instant.parse("2026-01-02T03:04:05Z"), RECORD);

        String text = written(to -> line.text(false, to));
        assertTrue(text.startsWith("exchange id=id-1 "), text);
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
        assertEquals("billing", json.getString("identity"));
        assertEquals(4, json.getInt("first-byte-us"));
        assertEquals("TLSv1.3", json.getString("tls-version"));
        assertEquals("TLS_AES_256_GCM_SHA384", json.getString("tls-cipher"));
        assertFalse(json.containsKey("cache"), json::toString);
    }

    private static LogConfig place(boolean enabled, LogForm form, @Nullable Path file, int queue) {
        return new LogConfig(enabled, form, file, NEVER, queue);
    }

    private static AccessLogConfig config(LogConfig lines) {
        LogConfig none = place(false, LogForm.TEXT, null, 1);
        return new AccessLogConfig(lines, LineTemplate.parse(""), 1, none, Duration.ZERO);
    }

    private static AccessLogConfig to(@Nullable Path file, boolean enabled, int queue) {
        return config(place(enabled, LogForm.TEXT, file, queue));
    }

    private static ExchangeRecord took(long millis, int status, String reason) {
        return new ExchangeRecord(
                "id-" + millis,
                "::1",
                "GET",
                () -> "/x",
                "/x",
                "p:1",
                "billing",
                status,
                1,
                2,
                3_000,
                4_000,
                4_500,
                TimeUnit.MILLISECONDS.toNanos(millis),
                1,
                "edge",
                "",
                reason,
                RequestDetails.NONE);
    }

    private List<String> written(AccessLogConfig config, ExchangeRecord... ended)
            throws IOException {
        try (var log = AccessLog.start(config, CLOCK)) {
            for (ExchangeRecord record : ended) {
                log.ended(record);
            }
        }
        return Files.readAllLines(folder.resolve("access.log"));
    }

    @Test
    void aLineOfTheCombinedFormatIsWhatItsReadersKnow() throws IOException {
        Path file = folder.resolve("access.log");

        List<String> lines = written(config(place(true, LogForm.COMBINED, file, 10)), RECORD);

        assertEquals(
                "::1 - - [02/Jan/2026:03:04:05 +0000] \"GET /x\\x22\\x0a HTTP/1.1\" 200 2 \"-\""
                        + " \"a\\x22b\"",
                lines.getFirst());
    }

    @Test
    void aLineOfOnesOwnHasItsFieldsAndWordsInItsOrder() throws IOException {
        Path file = folder.resolve("access.log");
        var every = new StringBuilder("{{");
        for (LogField field : LogField.values()) {
            every.append('{').append(field.word()).append("} ");
        }
        var config =
                new AccessLogConfig(
                        place(true, LogForm.OWN, file, 10),
                        LineTemplate.parse(every + "end}}"),
                        1,
                        place(false, LogForm.TEXT, null, 1),
                        Duration.ZERO);

        List<String> lines = written(config, RECORD);

        assertEquals(
                "{2026-01-02T03:04:05Z id-1 - ::1 GET /x\\x22\\x0a HTTP/1.1 true TLSv1.3"
                        + " TLS_AES_256_GCM_SHA384 /x p:1 - billing 200 1 2 3 4 4 -2 5 1 edge -"
                        + " answered - a\\x22b end}",
                lines.getFirst());
    }

    @Test
    void ofRequestsThatWentWellOneInSoManyWritesALineAndOfOthersEach() throws IOException {
        var config =
                new AccessLogConfig(
                        place(true, LogForm.TEXT, folder.resolve("access.log"), 100),
                        LineTemplate.parse(""),
                        3,
                        place(true, LogForm.TEXT, folder.resolve("slow.log"), 100),
                        Duration.ofMillis(100));

        List<String> lines =
                written(
                        config,
                        took(1, 200, "answered"),
                        took(2, 200, "answered"),
                        took(3, 200, "answered"),
                        took(4, 200, "answered"),
                        took(5, 200, "peer-gone"),
                        took(6, 404, "answered"),
                        took(7, 0, "client-gone"),
                        took(200, 200, "answered"),
                        took(8, 200, "answered"));

        List<String> ids = lines.stream().map(line -> line.split(" ", -1)[2]).toList();
        assertEquals(
                List.of("id=id-1", "id=id-4", "id=id-5", "id=id-6", "id=id-7", "id=id-200"), ids);
    }

    @Test
    void requestsThatTakeTooLongAreInTheSlowLogWithTheirPhasesAndTunnelsAreNot()
            throws IOException {
        Path slow = folder.resolve("slow.log");
        var config =
                new AccessLogConfig(
                        place(false, LogForm.TEXT, null, 1),
                        LineTemplate.parse(""),
                        1,
                        place(true, LogForm.TEXT, slow, 100),
                        Duration.ofMillis(100));
        try (var log = AccessLog.start(config, CLOCK)) {
            log.ended(took(100, 200, "answered"));
            log.ended(took(101, 200, "answered"));
            log.ended(took(5000, 101, "answered"));
        }
        List<String> lines = Files.readAllLines(slow);

        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.getFirst().contains("id-101"), lines.getFirst());
    }

    @Test
    void aLineOfTheSlowLogHasThePhases() {
        var line = new AccessLine(Instant.parse("2026-01-02T03:04:05Z"), took(1, 200, "answered"));

        assertEquals(
                "slow id=id-1 client=::1 request=\"GET /x\" context=\"/x\" peer=\"p:1\""
                        + " identity=\"billing\" status=200 in=1 out=2 queue-us=3 peer-us=4"
                        + " first-byte-us=4 total-us=1000 retries=1 other-us=993 reason=answered",
                written(to -> line.slowText(false, to)));
        var json = Json.createReader(new StringReader(line.slowJson(true))).readObject();
        assertEquals("slow", json.getString("event"));
        assertEquals(993, json.getInt("other-us"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{statu}", "{status", "}", "{}", "{ status}", "a\tb"})
    void aTemplateThatCannotBeIsRefused(String template) {
        assertThrows(IllegalArgumentException.class, () -> LineTemplate.parse(template));
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
                            config(
                                    new LogConfig(
                                            true,
                                            LogForm.TEXT,
                                            file,
                                            new Rotation(10, false, 2),
                                            10)),
                            CLOCK)) {
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
