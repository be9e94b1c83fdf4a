package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.DownloadPeerProcess;
import org.lrwp.systemtests.harness.Octets;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Files, rates, and clients that misbehave: the download module behind the server. */
@SystemTest
@ServerConfig
class DownloadIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir Path root;
    private DownloadFiles files = new DownloadFiles(Path.of(""));
    private byte[] large = {};

    @BeforeEach
    void makeFiles() throws IOException {
        files = new DownloadFiles(root);
        files.make();
        large = files.large();
    }

    private void start(Scene scene, String... options) throws Exception {
        scene.closing(
                DownloadPeerProcess.start(
                        scene.proxy().lrwpPort(), "/" + scene.app(), root, options));
        Wait.require(
                "a peer serves",
                SOON,
                () -> scene.proxy().status().number("/" + scene.app(), "connections") > 0);
        // The proxy hears of a peer's capacity after its acceptance; one request may wait for that.
        assertEquals(404, scene.client().get(scene.path("/none")).status());
    }

    @Test
    void requestsAreAnsweredAsTheStandardSays(Scene scene) throws Exception {
        start(scene);

        files.requireAll(scene.client(), "/" + scene.app());
    }

    @Test
    void rateOfEachDownloadIsKept(Scene scene) throws Exception {
        start(scene, "--request-rate", "1MB");
        List<RawHttp> slow = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            RawHttp client = scene.client();
            client.request("GET", scene.path("/large.bin"), "Range: bytes=0-1999999");
            slow.add(client);
        }
        byte[] expected = Arrays.copyOf(large, 2_000_000);
        for (RawHttp client : slow) {
            assertArrayEquals(expected, client.answer().body());
        }
        double seconds = (System.nanoTime() - begin) / 1e9;

        assertTrue(seconds > 1.9, seconds + " s for two seconds' worth");
    }

    @Test
    void clientsThatStallOrVanishLeaveNothingBehind(Scene scene) throws Exception {
        start(scene, "--global-rate", "20MB");
        List<RawHttp> stalling = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            RawHttp client = scene.closing(RawHttp.slowReader(scene.proxy().httpPort()));
            client.request("GET", scene.path("/large.bin"));
            stalling.add(client);
        }
        for (RawHttp client : stalling.subList(0, 10)) {
            client.line();
            client.wire().reset();
        }

        RawHttp reader = scene.client();
        long begin = System.nanoTime();
        assertArrayEquals(large, reader.get(scene.path("/large.bin")).body());

        double seconds = (System.nanoTime() - begin) / 1e9;
        assertTrue(seconds < 5, seconds + " s beside clients that do not read");
        Wait.require("the stalled ones are cut", SOON, () -> scene.proxy().status().busy() == 0);
        assertEquals(DownloadFiles.TEXT, scene.client().get(scene.path("/plain.txt")).text());
    }

    @Test
    void clientThatTricklesGetsItAll(Scene scene) throws Exception {
        start(scene);
        RawHttp client = scene.closing(RawHttp.slowReader(scene.proxy().httpPort()));
        client.request("GET", scene.path("/large.bin"), "Range: bytes=0-299999");
        while (!client.line().isEmpty()) {
            // The head.
        }
        byte[] got = new byte[0];
        while (got.length < 300_000) {
            got = Octets.join(got, client.wire().readSome(4096));
            Wait.pass(Duration.ofMillis(5));
        }

        assertArrayEquals(Arrays.copyOf(large, 300_000), got);
    }

    @Test
    void fileThatIsCutWhileItIsSentCutsTheConnection(Scene scene) throws Exception {
        start(scene, "--request-rate", "1MB");
        RawHttp client = scene.client();
        client.request("GET", scene.path("/large.bin"));
        client.line();
        try (RandomAccessFile file =
                new RandomAccessFile(root.resolve("large.bin").toFile(), "rw")) {
            file.setLength(1000);
        }

        assertThrows(IOException.class, () -> readAll(client));

        assertEquals(DownloadFiles.TEXT, scene.client().get(scene.path("/plain.txt")).text());
    }

    private static void readAll(RawHttp client) throws IOException {
        while (!client.line().isEmpty()) {
            // The head.
        }
        client.wire().read(8_000_000);
    }
}
