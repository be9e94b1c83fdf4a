package org.lrwp.download;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.testkit.Figures.figure;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.download.testkit.Settings;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.MonitoredMetrics;
import org.lrwp.testkit.RecordedExchange;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;

class DownloadModuleTest {
    private static final Origin HTTP = new Origin(Origin.Kind.HTTP, "");

    @TempDir Path root;
    private final List<PeerModule> open = new ArrayList<>();
    private byte[] large = {};
    private Configuration configuration = configuration();

    private static Configuration configuration() {
        try {
            return Settings.of();
        } catch (BadConfigurationException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void makeFiles() throws IOException {
        large = new byte[3_000_000];
        new Random(7).nextBytes(large);
        Files.write(root.resolve("large"), large);
        Files.writeString(root.resolve("a.txt"), "hello");
        Files.writeString(root.resolve("a.txt.gz"), "coded");
        Files.writeString(root.resolve("empty"), "");
        Files.createDirectory(root.resolve("sub"));
    }

    @AfterEach
    void close() {
        open.forEach(PeerModule::close);
    }

    private PeerModule module(String... settings) throws BadConfigurationException {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("root=" + root);
        configuration = Settings.of(all.toArray(new String[0]));
        PeerModule module =
                new DownloadProvider()
                        .open(new ModuleSetup("files", List.of("/files"), configuration));
        open.add(module);
        return module;
    }

    private static RecordedExchange begin(PeerModule module, Head head) throws Exception {
        RecordedExchange exchange = new RecordedExchange(head);
        module.handler().handle(exchange);
        return exchange;
    }

    private static RecordedExchange done(PeerModule module, Head head) throws Exception {
        RecordedExchange exchange = begin(module, head);
        assertEquals("complete", exchange.awaitEnd());
        return exchange;
    }

    private static void await(BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - begin < 20_000_000_000L, "it does not happen");
            Thread.onSpinWait();
        }
    }

    @Test
    void boardAndAlertsAskForMetricsThatAreThere() throws Exception {
        MonitoredMetrics.check("download", module());
    }

    @Test
    void fileIsSentWholeFromDiskAndFromMemory() throws Exception {
        PeerModule module = module();

        for (int i = 0; i < 3; i++) {
            assertArrayEquals(large, done(module, Head.get("/large")).bytes());
            assertEquals("hello", done(module, Head.get("/a.txt")).text());
            assertEquals(0, done(module, Head.get("/empty")).length());
        }

        await(() -> figure(module, "openFiles").intValue() == 0);
        assertEquals(0, figure(module, "downloads"));
        assertEquals(9L, figure(module, "answers"));
        assertEquals(3 * (large.length + 5L), figure(module, "bytes"));
        assertTrue(figure(module, "memoryHits").longValue() > 0);
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody() throws Exception {
        PeerModule module = module("disposition=attachment", "cache-control=no-cache");

        RecordedExchange head = done(module, Head.of("HEAD", "/a.txt"));

        assertEquals(200, head.status());
        assertEquals("5", head.header("Content-Length"));
        assertEquals("bytes", head.header("Accept-Ranges"));
        assertEquals("no-cache", head.header("Cache-Control"));
        assertEquals("attachment; filename=\"a.txt\"", head.header("Content-Disposition"));
        assertEquals(0, head.length());
    }

    @Test
    void codedFileIsSentToWhoTakesIt() throws Exception {
        PeerModule module = module();

        RecordedExchange coded = done(module, Head.get("/a.txt").with("Accept-Encoding", "gzip"));
        RecordedExchange plain =
                done(module, Head.get("/a.txt").variable("QUERY_STRING", "download"));

        assertEquals("coded", coded.text());
        assertEquals("gzip", coded.header("Content-Encoding"));
        assertEquals("Accept-Encoding", plain.header("Vary"));
        assertTrue(String.valueOf(plain.header("Content-Disposition")).startsWith("attachment"));
        assertNotEquals(coded.header("ETag"), plain.header("ETag"));
    }

    @Test
    void partsOfAFileAreExact() throws Exception {
        PeerModule module = module();

        RecordedExchange one =
                done(module, Head.get("/large").with("Range", "bytes=1000000-1999999"));
        RecordedExchange many = done(module, Head.get("/large").with("Range", "bytes=0-0,5-9,-1"));
        RecordedExchange none = done(module, Head.get("/large").with("Range", "bytes=3000000-"));

        assertEquals(206, one.status());
        assertArrayEquals(Arrays.copyOfRange(large, 1_000_000, 2_000_000), one.bytes());
        assertEquals("" + many.length(), many.header("Content-Length"));
        assertTrue(many.text().endsWith("--\r\n"), "the last boundary");
        assertEquals(416, none.status());
        assertEquals("bytes */3000000", none.header("Content-Range"));
    }

    @Test
    void whatIsNotThereOrNotAllowedIsSaid() throws Exception {
        PeerModule module = module();

        assertEquals(404, done(module, Head.get("/none")).status());
        assertEquals(404, done(module, Head.get("/sub/")).status());
        RecordedExchange moved =
                done(module, Head.get("/sub").variable("REQUEST_URI", "/files/sub?x=1"));
        assertEquals(301, moved.status());
        assertEquals("./sub/?x=1", moved.header("Location"));
        assertEquals(301, done(module, Head.get("")).status());
        assertEquals(405, done(module, Head.of("DELETE", "/a.txt")).status());
        assertEquals(204, done(module, Head.of("OPTIONS", "/a.txt")).status());
        RecordedExchange etag = done(module, Head.get("/a.txt"));
        String validator = String.valueOf(etag.header("ETag"));
        assertEquals(
                304, done(module, Head.get("/a.txt").with("If-None-Match", validator)).status());
        assertEquals(412, done(module, Head.get("/a.txt").with("If-Match", "\"x\"")).status());
    }

    @Test
    void listingIsOffUntilItIsSetOn() throws Exception {
        PeerModule module = module();
        assertEquals(404, done(module, Head.get("/")).status());

        configuration.set(Map.of("listing", "true"), HTTP);

        RecordedExchange page = done(module, Head.get("/"));
        assertEquals(200, page.status());
        assertTrue(page.text().contains(">a.txt<"), page.text());
    }

    @Test
    void rateIsKeptAndAChangeReachesTheRunningDownload() throws Exception {
        PeerModule module = module("request-rate=20KB");
        RecordedExchange slow = begin(module, Head.get("/large"));
        await(() -> slow.length() > 0);
        assertTrue(slow.length() < 100_000, "it is slow");

        configuration.set(Map.of("request-rate", "unlimited"), HTTP);

        assertEquals("complete", slow.awaitEnd());
        assertArrayEquals(large, slow.bytes());
    }

    @Test
    void unlimitedDownloadCanBeLimitedWhileItRuns() throws Exception {
        PeerModule module = module();
        RecordedExchange exchange = new RecordedExchange(Head.get("/large"));
        exchange.stall();
        module.handler().handle(exchange);
        await(() -> exchange.length() > 0);

        configuration.set(Map.of("global-rate", "2MB"), HTTP);
        exchange.takeAgain();
        await(() -> exchange.length() > 100_000);
        assertFalse(exchange.isOver());
        configuration.set(Map.of("global-rate", "1000MB"), HTTP);

        assertEquals("complete", exchange.awaitEnd());
        assertArrayEquals(large, exchange.bytes());
    }

    @Test
    void limitThatGoesAndComesBackLetsTheRunningDownloadGoOn() throws Exception {
        PeerModule module =
                module(
                        "request-rate=20KB",
                        "class.other.paths=/a.txt",
                        "class.other.request-rate=10MB");
        RecordedExchange exchange = begin(module, Head.get("/large"));
        await(() -> exchange.length() > 0);
        exchange.stall();

        configuration.set(Map.of("request-rate", "unlimited"), HTTP);
        // This one has a limit of its own, so it is placed behind the change.
        done(module, Head.get("/a.txt"));
        configuration.set(Map.of("request-rate", "50MB"), HTTP);
        done(module, Head.get("/a.txt"));
        exchange.takeAgain();

        assertEquals("complete", exchange.awaitEnd());
        assertArrayEquals(large, exchange.bytes());
    }

    @Test
    void badChangeIsRefusedAndTheOldValueStays() throws Exception {
        PeerModule module = module("request-rate=10MB");

        assertThrows(
                BadConfigurationException.class,
                () -> configuration.set(Map.of("global-rate", "none"), HTTP));

        assertEquals("hello", done(module, Head.get("/a.txt")).text());
    }

    @Test
    void clientThatStallsGetsNoMoreThanItTakes() throws Exception {
        PeerModule module = module("request-rate=50MB");
        RecordedExchange exchange = new RecordedExchange(Head.get("/large"));
        exchange.stall();
        module.handler().handle(exchange);
        await(() -> exchange.length() > 0);
        assertTrue(exchange.length() <= 65_536, "one write");

        exchange.takeAgain();

        assertEquals("complete", exchange.awaitEnd());
        assertArrayEquals(large, exchange.bytes());
    }

    @Test
    void clientThatLeavesGivesEverythingBack() throws Exception {
        PeerModule module = module("request-rate=20KB");
        RecordedExchange exchange = begin(module, Head.get("/large"));
        await(() -> exchange.length() > 0);

        exchange.leave();

        assertEquals("the client is gone", exchange.awaitEnd());
        await(() -> figure(module, "downloads").intValue() == 0);
        await(() -> figure(module, "openFiles").intValue() == 0);
        assertEquals(1L, figure(module, "left"));
    }

    @Test
    void fileThatIsCutWhileItIsSentCutsTheAnswer() throws Exception {
        PeerModule module = module("request-rate=1MB");
        RecordedExchange exchange = begin(module, Head.get("/large"));
        await(() -> exchange.length() > 0);

        try (RandomAccessFile file = new RandomAccessFile(root.resolve("large").toFile(), "rw")) {
            file.setLength(10);
        }

        assertEquals("the file has become shorter", exchange.awaitEnd());
        assertEquals(1L, figure(module, "failed"));
    }

    @Test
    void fileThatWasReplacedAMomentAgoIsSentAsItIsNow() throws Exception {
        PeerModule module = module("cache-check=1h");
        assertArrayEquals(large, done(module, Head.get("/large")).bytes());
        byte[] other = Arrays.copyOf(large, 2_500_000);
        Files.write(root.resolve("new"), other);
        Files.move(root.resolve("new"), root.resolve("large"), StandardCopyOption.REPLACE_EXISTING);

        RecordedExchange exchange = done(module, Head.get("/large"));

        assertEquals(200, exchange.status());
        assertArrayEquals(other, exchange.bytes());
    }

    @Test
    void connectionsOfAClientAreCountedWhenThatIsOn() throws Exception {
        PeerModule module = module("connections-per-client=2", "request-rate=20KB");
        RecordedExchange first = begin(module, Head.get("/large"));
        begin(module, Head.get("/large"));

        RecordedExchange third = done(module, Head.get("/a.txt"));
        Head other = Head.get("/a.txt").variable("REMOTE_ADDR", "192.0.2.2");

        assertEquals(429, third.status());
        assertEquals(200, done(module, other).status());
        first.await(answer -> answer.status() != 0).leave();
        first.awaitEnd();
        assertEquals(200, done(module, Head.get("/a.txt")).status());
        assertEquals(200, done(module, Head.get("/a.txt")).status());
    }

    @Test
    void bannedGet403OrWaitForIt() throws Exception {
        PeerModule module = module("ban.networks=127.0.0.1");
        assertEquals(403, done(module, Head.get("/a.txt")).status());

        configuration.set(Map.of("ban.action", "tarpit", "ban.tarpit-time", "100ms"), HTTP);
        assertEquals(403, done(module, Head.get("/a.txt")).status());
        configuration.set(Map.of("ban.tarpit-time", "40s"), HTTP);
        RecordedExchange held = begin(module, Head.get("/a.txt"));
        RecordedExchange gone = begin(module, Head.get("/a.txt"));
        assertEquals(2, figure(module, "tarpit"));
        gone.leave();
        assertEquals("the client is gone", gone.awaitEnd());
        module.drain();

        assertEquals("complete", held.awaitEnd());
        assertEquals(403, held.status());
    }

    @Test
    void whileItsValkeyServerIsAwayALimitIsKeptAsWithoutOne() throws Exception {
        // Nobody listens at a port of this number.
        PeerModule module = module("global-rate=100MB", "valkey=redis://127.0.0.1:1");

        assertArrayEquals(large, done(module, Head.get("/large")).bytes());
        assertEquals(0, figure(module, "exactRates"));
    }

    private void requireRefused(String reason, String... settings) {
        BadConfigurationException refused =
                assertThrows(BadConfigurationException.class, () -> module(settings));
        String said = String.valueOf(refused.getMessage());
        assertTrue(said.contains(reason), said);
    }

    @Test
    void aValkeyServerThatCannotBeMeantIsRefused() {
        requireRefused("valkey", "valkey=http://10.0.0.1");
        requireRefused("without user", "valkey=redis://user:word@10.0.0.1");
        requireRefused("valkey", "valkey=redis:///1");
        requireRefused("shared-rates = true", "valkey=redis://10.0.0.1", "shared-rates=false");
        requireRefused("valkey-name", "valkey-name=a:b");
        requireRefused("rediss://", "valkey=redis://10.0.0.1", "valkey-trust=" + root);
        requireRefused("valkey-trust", "valkey=rediss://10.0.0.1", "valkey-trust=none");
        requireRefused("does not exist", "valkey=redis://10.0.0.1", "valkey-login-file=none");
    }

    @Test
    void moduleWithoutItsFolderDoesNotOpen() {
        BadConfigurationException refused =
                assertThrows(
                        BadConfigurationException.class,
                        () -> module("types-file=" + root.resolve("none")));
        assertTrue(String.valueOf(refused.getMessage()).contains("types-file"));
        root = root.resolve("a.txt");
        assertThrows(BadConfigurationException.class, this::module);
    }

    @Test
    void requestsAfterTheEndGet503() throws Exception {
        PeerModule module = module();
        module.close();

        assertEquals(503, done(module, Head.get("/a.txt")).status());
    }
}
