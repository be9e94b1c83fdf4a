package org.lrwp.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.testkit.Figures.figure;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.module.Action;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.testkit.Configurations;
import org.lrwp.testkit.HalfAnswer;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.LoopbackServer;
import org.lrwp.testkit.MonitoredMetrics;
import org.lrwp.testkit.RecordedExchange;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

class ImageStoreTest {
    private static final String PNG = "\u0089PNG\r\n\u001a\nrest of a picture";
    private static final String JPEG = "\u00ff\u00d8\u00ff\u00e0rest of a photograph";

    @TempDir private Path folder;

    private PeerModule store(String... settings) throws BadConfigurationException {
        List<String> all = new ArrayList<>(List.of("file=" + folder.resolve("map"), "size=4MiB"));
        all.addAll(List.of(settings));
        ImageStoreProvider provider = new ImageStoreProvider();
        Configuration configuration =
                Configurations.of(provider.keys(), all.toArray(String[]::new));
        return provider.open(new ModuleSetup("img", List.of("/img"), configuration));
    }

    /**
     * A request with a body.
     *
     * @param body one byte per character
     */
    private record Put(Head head, String body) {
        Put with(String header, String value) {
            return new Put(head.with(header, value), body);
        }

        Put from(String address) {
            return new Put(head.from(address), body);
        }

        Put unknownLength() {
            return new Put(head.length(-1), body);
        }
    }

    private static Put put(String path, String bytes, @Nullable String type) {
        Put put = new Put(Head.of("PUT", path).length(bytes.length()), bytes);
        return type == null ? put : put.with("Content-Type", type);
    }

    private static RecordedExchange ask(PeerModule store, Head head) throws Exception {
        return ask(store, new Put(head, ""));
    }

    private static RecordedExchange ask(PeerModule store, Put put) throws Exception {
        RecordedExchange exchange = new RecordedExchange(put.head());
        store.handler().handle(exchange);
        return answered(exchange.send(put.body().getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Waits for an answer, which the store gives in one. */
    private static RecordedExchange answered(RecordedExchange exchange) throws Exception {
        assertEquals("complete", exchange.awaitEnd());
        assertTrue(exchange.isWhole());
        return exchange;
    }

    private static String body(RecordedExchange exchange) {
        return new String(exchange.bytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void boardAndAlertsAskForMetricsThatAreThere() throws Exception {
        try (PeerModule store = store()) {
            MonitoredMetrics.check("cache", store);
        }
    }

    private String refusal(String setting) {
        return String.valueOf(
                assertThrows(BadConfigurationException.class, () -> store(setting)).getMessage());
    }

    @Test
    void whatCannotBeOpenedIsRefusedWithItsKey() {
        Path missing = folder.resolve("missing/map");

        assertEquals(
                "file = %1$s: the folder of %1$s does not exist".formatted(missing),
                refusal("file=" + missing));
        assertEquals(
                "size is too small for largest-image = 393216: size 1048576 is less than one"
                        + " segment of 1048576 and two pages of 4096",
                refusal("size=1MiB"));
    }

    @Test
    void leastSizeForTheLargestImageOfTheDefaultIsTaken() throws Exception {
        try (PeerModule store = store("size=1032KiB")) {
            assertEquals(201, ask(store, put("/1", PNG, "image/png")).status());
        }
    }

    @Test
    void anOperatorEmptiesIt() throws Exception {
        try (PeerModule store = store()) {
            ask(store, put("/1", PNG, "image/png"));
            assertEquals(1L, figure(store, "entries").longValue());

            Action clear = store.actions().getFirst();
            assertEquals("clear", clear.name());
            assertEquals("The cache is empty.", clear.work().perform());

            assertEquals(0L, figure(store, "entries").longValue());
        }
    }

    @Test
    void whatWasPutIsServedAlsoAfterARestart() throws Exception {
        try (PeerModule store = store()) {
            assertEquals(404, ask(store, Head.get("/7")).status());
            assertEquals(201, ask(store, put("/7", PNG, "image/png")).status());
            assertEquals(204, ask(store, put("/7", JPEG, null)).status());
        }
        try (PeerModule store = store("max-age=1h")) {
            RecordedExchange got = ask(store, Head.get("/7"));
            assertEquals(200, got.status());
            assertEquals(JPEG, body(got));
            assertEquals("image/jpeg", got.header("Content-Type"));
            assertEquals("nosniff", got.header("X-Content-Type-Options"));
            assertEquals("max-age=3600", got.header("Cache-Control"));

            RecordedExchange head = ask(store, Head.of("HEAD", "/7"));
            assertEquals("", body(head));
            assertEquals(Integer.toString(JPEG.length()), head.header("Content-Length"));

            String etag = String.valueOf(got.header("ETag"));
            Head again = Head.get("/7").with("If-None-Match", "\"x\", " + etag);
            assertEquals(304, ask(store, again).status());
            Head other = Head.get("/7").with("If-None-Match", "\"x\"");
            assertEquals(200, ask(store, other).status());

            assertEquals(204, ask(store, Head.of("DELETE", "/7")).status());
            assertEquals(404, ask(store, Head.of("DELETE", "/7")).status());
            assertEquals(404, ask(store, Head.get("/7")).status());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/", "/x", "/07", "/+7", "/-0", "/7/", "/7.png", "/9223372036854775808"})
    void onlyDecimalNumbersOf64BitsAreIds(String path) throws Exception {
        try (PeerModule store = store()) {
            assertEquals(404, ask(store, Head.get(path)).status());
            assertEquals(400, ask(store, put(path, PNG, null)).status());
        }
    }

    @Test
    void theWholeRangeOfNumbersIsUsed() throws Exception {
        try (PeerModule store = store()) {
            for (String path : List.of("/0", "/-9223372036854775808", "/9223372036854775807")) {
                assertEquals(201, ask(store, put(path, PNG, null)).status());
                assertEquals(PNG, body(ask(store, Head.get(path))));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "image/png, P, 201, image/png",
        "IMAGE/PNG; q=1, P, 201, image/png",
        "application/octet-stream, P, 201, application/octet-stream",
        ", P, 201, image/png",
        ", plain words, 201, application/octet-stream",
        "text/plain, plain words, 201, text/plain",
        "image/jpeg, P, 415,",
        "text/html, P, 415,",
        "image/png, plain words, 415,",
        "no type, P, 415,",
    })
    void theDeclaredTypeHasToBeWhatTheBytesShow(
            @Nullable String declared, String bytes, int status, @Nullable String served)
            throws Exception {
        try (PeerModule store = store()) {
            String body = bytes.equals("P") ? PNG : bytes;
            assertEquals(status, ask(store, put("/1", body, declared)).status());
            RecordedExchange got = ask(store, Head.get("/1"));
            assertEquals(served, status == 201 ? got.header("Content-Type") : null);
        }
    }

    @Test
    void writingNeedsALocalClientOrTheToken() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "secret\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        assertThrows(BadConfigurationException.class, () -> store("token-file=" + token));
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        try (PeerModule store = store("token-file=" + token)) {
            assertEquals(201, ask(store, put("/1", PNG, null)).status());
            assertEquals(401, ask(store, put("/1", PNG, null).from("192.0.2.1")).status());
            Put forwarded = put("/1", PNG, null).with("X-Forwarded-For", "127.0.0.1");
            assertEquals(401, ask(store, forwarded).status());
            Put wrong = put("/1", PNG, null).with("Authorization", "Bearer secreT");
            assertEquals(401, ask(store, wrong).status());
            Put right =
                    put("/2", PNG, null).from("192.0.2.1").with("Authorization", "Bearer secret");
            assertEquals(201, ask(store, right).status());
            assertEquals(200, ask(store, Head.get("/2").from("192.0.2.1")).status());
        }
        try (PeerModule store = store("write-networks=10.0.0.0/8")) {
            assertEquals(403, ask(store, Head.of("DELETE", "/2")).status());
            assertEquals(204, ask(store, Head.of("DELETE", "/2").from("10.1.2.3")).status());
        }
    }

    @Test
    void aWebPageCannotWriteThroughABrowserOfThisMachine() throws Exception {
        try (PeerModule store = store("write-hosts=localhost,images.example")) {
            Put rebound = put("/1", PNG, null).with("Host", "rebound.example:1080");
            assertEquals(403, ask(store, rebound).status());
            Put elsewhere = put("/1", PNG, null).with("Origin", "https://page.example");
            assertEquals(403, ask(store, elsewhere).status());
            Put ownPage = put("/1", PNG, null).with("Origin", "http://localhost");
            assertEquals(201, ask(store, ownPage).status());
            Put named = put("/2", PNG, null).with("Host", "images.example:1080");
            assertEquals(201, ask(store, named).status());
            Put address = put("/3", PNG, null).with("Host", "127.0.0.1:1080");
            assertEquals(201, ask(store, address).status());
        }
    }

    @Test
    void imagesAboveTheLimitAndEmptyOnesAreRefused() throws Exception {
        try (PeerModule store = store("largest-image=100KiB")) {
            String most = "x".repeat(100 << 10);
            assertEquals(201, ask(store, put("/1", most, null)).status());
            assertEquals(most, body(ask(store, Head.get("/1"))));
            assertEquals(413, ask(store, put("/2", most + "x", null)).status());
            assertEquals(413, ask(store, put("/2", most + "x", null).unknownLength()).status());
            assertEquals(204, ask(store, put("/1", most, null).unknownLength()).status());
            assertEquals(400, ask(store, put("/2", "", null)).status());
            assertEquals(404, ask(store, Head.get("/2")).status());
        }
    }

    @Test
    void aPutThatWantsToBeTheFirstIsRefusedWhenItIsNot() throws Exception {
        try (PeerModule store = store()) {
            assertEquals(201, ask(store, put("/1", PNG, null).with("If-None-Match", "*")).status());
            assertEquals(
                    412, ask(store, put("/1", JPEG, null).with("If-None-Match", "*")).status());
            assertEquals(PNG, body(ask(store, Head.get("/1"))));
        }
    }

    /** TAG stands for the entity tag of the image that is there. */
    @ParameterizedTest
    @CsvSource({
        "If-Match, TAG, 204",
        "If-Match, '\"a\", TAG', 204",
        "If-Match, *, 204",
        "If-Match, \"a\", 412",
        "If-Match, W/TAG, 412",
        "If-None-Match, \"a\", 204",
        "If-None-Match, TAG, 412",
        "If-None-Match, '\"a\", W/TAG', 412",
        "If-None-Match, *, 412",
    })
    void anImageIsChangedOnlyWhenTheConditionHolds(String field, String value, int status)
            throws Exception {
        try (PeerModule store = store()) {
            ask(store, put("/1", PNG, null));
            String tag = String.valueOf(ask(store, Head.get("/1")).header("ETag"));
            String wanted = value.replace("TAG", tag);

            assertEquals(status, ask(store, Head.of("DELETE", "/1").with(field, wanted)).status());
            assertEquals(status == 204 ? 404 : 200, ask(store, Head.get("/1")).status());
            ask(store, put("/1", PNG, null));
            assertEquals(status, ask(store, put("/1", JPEG, null).with(field, wanted)).status());
            assertEquals(status == 204 ? JPEG : PNG, body(ask(store, Head.get("/1"))));
        }
    }

    @Test
    void whereNoImageIsNoneMatches() throws Exception {
        try (PeerModule store = store()) {
            for (String tag : List.of("*", "\"a\"")) {
                assertEquals(412, ask(store, put("/1", PNG, null).with("If-Match", tag)).status());
                assertEquals(
                        404, ask(store, Head.of("DELETE", "/1").with("If-Match", tag)).status());
            }
            assertEquals(
                    201, ask(store, put("/1", PNG, null).with("If-None-Match", "\"a\"")).status());
        }
    }

    @Test
    void ofAllWhoReplaceTheSameImageOneDoes() throws Exception {
        try (PeerModule store = store();
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int round = 0; round < 100; round++) {
                ask(store, put("/1", PNG, null));
                String tag = String.valueOf(ask(store, Head.get("/1")).header("ETag"));
                CyclicBarrier together = new CyclicBarrier(8);
                List<Future<Integer>> answers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    Put mine = put("/1", JPEG + i, null).with("If-Match", tag);
                    answers.add(
                            threads.submit(
                                    () -> {
                                        together.await();
                                        return ask(store, mine).status();
                                    }));
                }
                int done = 0;
                for (Future<Integer> answer : answers) {
                    done += answer.get() == 204 ? 1 : 0;
                }
                assertEquals(1, done);
            }
        }
    }

    @Test
    void otherMethodsAreRefused() throws Exception {
        try (PeerModule store = store()) {
            RecordedExchange refused = ask(store, Head.of("POST", "/1"));
            assertEquals(405, refused.status());
            assertEquals("GET, HEAD, PUT, DELETE", refused.header("Allow"));
        }
    }

    @Test
    void missesComeFromTheFolderOnce() throws Exception {
        Path images = Files.createDirectory(folder.resolve("images"));
        Files.writeString(images.resolve("5"), PNG, StandardCharsets.ISO_8859_1);
        Files.writeString(images.resolve("6"), "x".repeat(400_000));
        try (PeerModule store = store("origin=" + images)) {
            assertEquals(PNG, body(ask(store, Head.get("/5"))));
            Files.delete(images.resolve("5"));
            RecordedExchange again = ask(store, Head.get("/5"));
            assertEquals(PNG, body(again));
            assertEquals("image/png", again.header("Content-Type"));
            assertEquals(404, ask(store, Head.get("/4")).status());
            assertEquals(502, ask(store, Head.get("/6")).status());
            assertEquals(1L, figure(store, "originFetched"));
            assertEquals(1L, figure(store, "originFailed"));
        }
    }

    @Test
    void oneFetchAnswersAllWhoAskAtTheSameTimeAndADeleteKeepsItOut() throws Exception {
        AtomicInteger fetches = new AtomicInteger();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (LoopbackServer origin = origin(fetches, asked, release);
                PeerModule store = store("origin=" + origin.url("/o/"), "origin-requests=1")) {
            List<RecordedExchange> waiting = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                RecordedExchange get = new RecordedExchange(Head.get("/8"));
                store.handler().handle(get);
                waiting.add(get);
            }
            await(asked);
            assertEquals(503, ask(store, Head.get("/9")).status());
            assertFalse(waiting.get(0).isOver());
            assertEquals(404, ask(store, Head.of("DELETE", "/8")).status());
            release.countDown();
            for (RecordedExchange get : waiting) {
                assertEquals(PNG, body(answered(get)));
            }
            assertEquals(1, fetches.get());
            assertEquals(0L, figure(store, "entries"));

            assertEquals(PNG, body(ask(store, Head.get("/8"))));
            assertEquals(2, fetches.get());
            assertEquals(1L, figure(store, "entries"));
            assertEquals(502, ask(store, Head.get("/9")).status());
            assertEquals(404, ask(store, Head.get("/10")).status());
        }
    }

    @Test
    void anOriginHasToSendTheWholeImageInItsTime() throws Exception {
        try (HalfAnswer origin = HalfAnswer.start();
                PeerModule store =
                        store(
                                "origin=" + origin.url("/o/"),
                                "origin-timeout=300ms",
                                "origin-requests=1")) {
            assertEquals(504, ask(store, Head.get("/8")).status());
            assertTrue(origin.awaitGivenUp());
            // The place is free again: the origin is asked.
            assertEquals(504, ask(store, Head.get("/9")).status());
            assertTrue(origin.awaitGivenUp());
            assertEquals(2L, figure(store, "originFailed"));
        }
    }

    /** Has the image 8 once it is released, a failure for 9, and nothing else. */
    private static LoopbackServer origin(
            AtomicInteger fetches, CountDownLatch asked, CountDownLatch release) {
        return LoopbackServer.start(
                call -> {
                    if (call.getRequestURI().getPath().equals("/o/8")) {
                        fetches.incrementAndGet();
                        asked.countDown();
                        await(release);
                        byte[] bytes = PNG.getBytes(StandardCharsets.ISO_8859_1);
                        call.getResponseHeaders().add("Content-Type", "image/png");
                        call.sendResponseHeaders(200, bytes.length);
                        call.getResponseBody().write(bytes);
                    } else {
                        int status = call.getRequestURI().getPath().equals("/o/9") ? 500 : 404;
                        call.sendResponseHeaders(status, -1);
                    }
                    call.close();
                });
    }

    @Test
    void whatCannotBeIsSaidAtTheStart() throws Exception {
        assertRefused("no/map does not exist", "file=" + folder.resolve("no/map"));
        assertRefused("is not a folder", "origin=" + folder.resolve("no"));
        assertRefused("does not end with /", "origin=http://127.0.0.1/o");
        assertRefused("free of", "size=32TiB");
        try (PeerModule store = store()) {
            assertEquals(0L, figure(store, "entries"));
            assertRefused("is in use by this very process");
        }
    }

    private void assertRefused(String sentence, String... settings) {
        BadConfigurationException refused =
                assertThrows(BadConfigurationException.class, () -> store(settings));
        assertTrue(String.valueOf(refused.getMessage()).contains(sentence), refused.toString());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
