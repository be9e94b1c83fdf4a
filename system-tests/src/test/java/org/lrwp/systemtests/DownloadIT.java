package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.Console;
import org.lrwp.systemtests.harness.DownloadPeerProcess;
import org.lrwp.systemtests.harness.DownloadPlace;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.ManyReaders;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import javax.management.InvalidAttributeValueException;

/** Files, rates, operators and clients that misbehave: the download module in both its places. */
@Timeout(240)
class DownloadIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String BEAN = "org.lrwp:type=Module,kind=download,*";
    private static final int CLIENTS = 20;

    @TempDir static Path folder;
    private static Path root = Path.of("");
    private static DownloadFiles files = new DownloadFiles(Path.of(""));
    private static ProxyProcess proxy;
    private static ProcessPeer peer;
    private static List<DownloadPlace> places = List.of();

    @BeforeAll
    static void start() throws Exception {
        root = Files.createDirectory(folder.resolve("root"));
        files = new DownloadFiles(root);
        files.make();
        Path token = Configuration.write(folder.resolve("token"), DownloadPlace.TOKEN + "\n");
        Path localFile = Files.writeString(folder.resolve("local.conf"), "");
        Path dialledFile = Files.writeString(folder.resolve("dialled.conf"), "");
        List<Integer> ports = FreePorts.several(2);
        Path configuration =
                Configuration.write(
                        folder.resolve("proxy.properties"),
                        """
                        agent.transport = %s
                        answer.stall-timeout = 4s
                        module.files.type = download
                        module.files.context = /local
                        module.files.root = %s
                        module.files.config = %s
                        module.files.admin-port = %d
                        module.files.admin-token-file = %s
                        """
                                .formatted(
                                        System.getProperty("transport", "auto"),
                                        root,
                                        localFile,
                                        ports.getFirst(),
                                        token));
        proxy = ProxyProcess.start("downloads-both", configuration, "--http-threads", "4");
        peer =
                DownloadPeerProcess.start(
                        proxy.lrwpPort(),
                        "/dialled",
                        root,
                        "--config",
                        dialledFile.toString(),
                        "--admin-port",
                        ports.getLast().toString(),
                        "--admin-token-file",
                        token.toString());
        DownloadPlace local = place("/local", proxy.pid(), ports.getFirst(), localFile);
        DownloadPlace dialled = place("/dialled", peer.pid(), ports.getLast(), dialledFile);
        places = List.of(local, dialled);
        Wait.require(
                "a peer serves",
                SOON,
                () -> proxy.status().number(dialled.context(), "connections") > 0);
        // The proxy hears of a peer's capacity after its acceptance; one request may wait for that.
        assertEquals(404, dialled.get("/none").status());
    }

    private static DownloadPlace place(String context, long pid, int adminPort, Path file) {
        return new DownloadPlace(context, proxy.httpPort(), pid, adminPort, file);
    }

    static List<DownloadPlace> places() {
        return places;
    }

    @AfterEach
    void takeBackWhatWasSet() throws IOException {
        for (DownloadPlace place : places) {
            for (String key : List.of("request-rate", "global-rate", "client")) {
                place.reset(key);
            }
        }
    }

    @AfterAll
    static void stop() throws IOException {
        peer.close();
        proxy.close();
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    private static void skipHead(RawHttp client) throws IOException {
        while (!client.line().isEmpty()) {
            // The head.
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void requestsAreAnsweredAsTheStandardSays(DownloadPlace place) throws Exception {
        try (RawHttp client = place.client()) {
            files.requireAll(client, place.context());
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void rateOfEachDownloadIsKept(DownloadPlace place) throws Exception {
        place.set("request-rate", "1MB");
        List<RawHttp> slow = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            RawHttp client = place.client();
            slow.add(client);
            client.request("GET", place.context() + "/large.bin", "Range: bytes=0-999999");
        }
        byte[] expected = Arrays.copyOf(files.large(), 1_000_000);
        for (RawHttp client : slow) {
            assertArrayEquals(expected, client.answer().body());
            client.close();
        }

        double seconds = secondsSince(begin);
        assertTrue(seconds > 0.9, seconds + " s for one second's worth");
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatIsSetReachesARunningDownloadWithinASecond(DownloadPlace place) throws Exception {
        place.set("request-rate", "20KB");
        try (RawHttp client = place.client();
                Console console = Console.of(place.pid())) {
            client.request("GET", place.context() + "/large.bin");
            skipHead(client);
            client.wire().read(1000);

            // By a console. At 20 KB/s these would take 50 s.
            long begin = System.nanoTime();
            console.set(BEAN, "RequestRate", "2MB");
            client.wire().read(1_000_000);
            assertTrue(secondsSince(begin) < 3, secondsSince(begin) + " s after the console");
            assertEquals("2MB", console.get(BEAN, "RequestRate"));

            // By HTTP.
            place.set("request-rate", "20KB");
            Wait.pass(SECOND);
            long sent = place.figure("bytes");
            Wait.pass(SECOND);
            long more = place.figure("bytes") - sent;
            assertTrue(more < 200_000, more + " bytes in a second");
            assertEquals("20KB, HTTP 127.0.0.1", place.value("request-rate"));

            // By the file.
            begin = System.nanoTime();
            place.write("request-rate = unlimited\n");
            client.wire().read(files.large().length - 1_001_000);
            assertTrue(secondsSince(begin) < 4, secondsSince(begin) + " s after the file");
            assertEquals("unlimited, file " + place.file() + ":1", place.value("request-rate"));
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatCannotBeIsRefusedWithItsReasonAndChangesNothing(DownloadPlace place) throws Exception {
        place.set("request-rate", "3MB");
        assertEquals(401, place.put("request-rate", "1MB", "no-token").status());
        HttpAnswer bad = place.put("request-rate", "fast", DownloadPlace.TOKEN);
        assertEquals(400, bad.status());
        assertTrue(bad.text().contains("\"detail\":\"request-rate = fast"), bad.text());
        try (Console console = Console.of(place.pid())) {
            InvalidAttributeValueException refused =
                    assertThrows(
                            InvalidAttributeValueException.class,
                            () -> console.set(BEAN, "RequestRate", "fast"));
            assertTrue(String.valueOf(refused.getMessage()).startsWith("request-rate"));
        }
        place.write("request-rate = 1MB\ncolour = red\n");
        Wait.require(
                "the file is refused",
                SOON,
                () -> place.page("status").getString("refusal").contains("colour"));

        assertEquals("3MB, HTTP 127.0.0.1", place.value("request-rate"));
        place.write("");
        Wait.require(
                "the file is good again",
                SOON,
                () -> place.page("status").getString("refusal").isEmpty());
    }

    @ParameterizedTest
    @MethodSource("places")
    void figuresCountWhatIsSent(DownloadPlace place) throws Exception {
        long answers = place.figure("answers");
        long bytes = place.figure("bytes");

        assertEquals(DownloadFiles.TEXT, place.get("/plain.txt").text());

        assertEquals(answers + 1, place.figure("answers"));
        assertEquals(bytes + DownloadFiles.TEXT.length(), place.figure("bytes"));
        try (Console console = Console.of(place.pid())) {
            assertEquals(answers + 1, console.get(BEAN, "Answers"));
        }
    }

    @Test
    void figuresOfTheLocalOneStandInTheStatusOfTheProxy() throws Exception {
        var module = proxy.status().page().getJsonArray("modules").getJsonObject(0);

        assertEquals("download", module.getString("type"));
        long answers = module.getJsonObject("figures").getJsonNumber("answers").longValue();
        assertEquals(places.getFirst().figure("answers"), answers);
    }

    @ParameterizedTest
    @MethodSource("places")
    void clientsShareAlikeHoweverManyConnectionsTheyHave(DownloadPlace place) throws Exception {
        place.set("client", "header:X-Client");
        place.set("global-rate", "2MB");
        try (ManyReaders readers = new ManyReaders(CLIENTS)) {
            long begin = System.nanoTime();
            for (int i = 0; i < 400; i++) {
                // The first three have hundreds, the others one each.
                int client = i < CLIENTS ? i : i % 3;
                String request =
                        "GET "
                                + place.context()
                                + "/huge.bin HTTP/1.1\r\nHost: x\r\nX-Client: "
                                + client
                                + "\r\n\r\n";
                readers.add(place.httpPort(), request, client);
            }
            long[] came = readers.read(SECOND);
            double all = Arrays.stream(came).sum();
            // The first pieces of new downloads go before all shares, and a slow machine is long at
            // them. By connections the first three would always have a hundred times what the
            // others have; how exact the shares are is proved where the clock is the test's.
            for (int i = 0; i < 5 && !areAlike(came); i++) {
                came = readers.read(SECOND.multipliedBy(3));
                all += Arrays.stream(came).sum();
            }
            double seconds = secondsSince(begin);

            assertTrue(areAlike(came), Arrays.toString(came));
            // All since the first request: what came in while the others connected counts too.
            double most = 1.2 * 2_000_000 * (seconds + 0.5);
            assertTrue(all < most, all + " bytes in " + seconds + " s");
        }
    }

    private static boolean areAlike(long[] shares) {
        long most = Arrays.stream(shares).max().orElseThrow();
        return Arrays.stream(shares).allMatch(share -> share > 0 && share >= 0.2 * most);
    }

    @Test
    void clientsThatStallOrVanishLeaveNothingBehind() throws Exception {
        List<RawHttp> stalling = new ArrayList<>();
        for (DownloadPlace place : places) {
            place.set("global-rate", "20MB");
            for (int i = 0; i < 20; i++) {
                RawHttp client = RawHttp.slowReader(place.httpPort());
                client.request("GET", place.context() + "/large.bin");
                stalling.add(client);
                if (i < 10) {
                    client.line();
                    client.wire().reset();
                }
            }
        }

        for (DownloadPlace place : places) {
            long begin = System.nanoTime();
            assertArrayEquals(files.large(), place.get("/large.bin").body());
            double seconds = secondsSince(begin);
            assertTrue(seconds < 5, seconds + " s beside clients that do not read");
        }
        Wait.require("the stalled ones are cut", SOON, () -> proxy.status().busy() == 0);
        for (DownloadPlace place : places) {
            Wait.require("nothing is left", SOON, () -> place.figure("openFiles") == 0);
            assertEquals(DownloadFiles.TEXT, place.get("/plain.txt").text());
        }
        for (RawHttp client : stalling) {
            client.close();
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void clientThatTricklesGetsItAll(DownloadPlace place) throws Exception {
        try (RawHttp client = RawHttp.slowReader(place.httpPort())) {
            client.request("GET", place.context() + "/large.bin", "Range: bytes=0-299999");
            skipHead(client);
            byte[] got = new byte[0];
            while (got.length < 300_000) {
                got = Bytes.join(got, client.wire().readSome(4096));
                Wait.pass(Duration.ofMillis(5));
            }

            assertArrayEquals(Arrays.copyOf(files.large(), 300_000), got);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void fileThatIsReplacedIsSentAsItWasAndOneThatIsCutCutsTheConnection(DownloadPlace place)
            throws Exception {
        place.set("request-rate", "2MB");
        String name = place.context() + "-changing";
        Path file = root.resolve(name.substring(1));
        Path other = root.resolve("other" + name.substring(1));
        byte[] old = Bytes.random(2_000_000, 5);
        Files.write(file, old);
        Files.write(other, Bytes.random(3_000_000, 6));
        try (RawHttp first = place.client();
                RawHttp second = place.client()) {
            first.request("GET", place.context() + name);
            assertEquals("HTTP/1.1 200 OK", first.line());
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
            skipHead(first);
            assertArrayEquals(old, first.wire().read(old.length));

            second.request("GET", place.context() + name);
            assertEquals("HTTP/1.1 200 OK", second.line());
            skipHead(second);
            try (RandomAccessFile changed = new RandomAccessFile(file.toFile(), "rw")) {
                changed.setLength(1000);
            }
            assertThrows(IOException.class, () -> second.wire().read(3_000_000));
        }
        assertEquals(DownloadFiles.TEXT, place.get("/plain.txt").text());
    }

    @ParameterizedTest
    @MethodSource("places")
    void fileThatGrowsWhileItIsSentEndsAtItsAnnouncedLength(DownloadPlace place) throws Exception {
        Path file = root.resolve("growing" + place.context().substring(1));
        Files.write(file, files.large());
        try (RawHttp client = RawHttp.slowReader(place.httpPort())) {
            client.request("GET", place.context() + "/" + file.getFileName());
            skipHead(client);
            Files.write(file, files.large(), StandardOpenOption.APPEND);

            assertArrayEquals(files.large(), client.wire().read(files.large().length));
            assertEquals(DownloadFiles.TEXT, client.get(place.context() + "/plain.txt").text());
        }
    }
}
