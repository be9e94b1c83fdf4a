package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The download module inside the proxy. */
@Timeout(120)
class LocalDownloadIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir static Path folder;
    private static DownloadFiles files = new DownloadFiles(Path.of(""));
    private static ProxyProcess proxy;

    @BeforeAll
    static void start() throws Exception {
        Path root = Files.createDirectory(folder.resolve("root"));
        files = new DownloadFiles(root);
        files.make();
        Files.writeString(folder.resolve("files.conf"), "request-rate = unlimited\n");
        Path configuration =
                Configuration.write(
                        folder.resolve("proxy.properties"),
                        "module.files.type = download\n"
                                + "module.files.context = /files\n"
                                + "answer.stall-timeout = 4s\n"
                                + ("module.files.root = " + root + "\n")
                                + ("module.files.config = " + folder.resolve("files.conf") + "\n"));
        proxy = ProxyProcess.start("local-downloads", configuration, "--http-threads", "4");
    }

    @AfterAll
    static void stop() {
        proxy.close();
    }

    @Test
    void requestsAreAnsweredAsTheStandardSays() throws Exception {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            files.requireAll(client, "/files");
        }
    }

    @Test
    void clientsThatStallOrVanishLeaveNothingBehind() throws Exception {
        List<RawHttp> stalling = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            RawHttp client = RawHttp.slowReader(proxy.httpPort());
            client.request("GET", "/files/large.bin");
            stalling.add(client);
        }
        for (RawHttp client : stalling.subList(0, 10)) {
            client.line();
            client.wire().reset();
        }

        try (RawHttp reader = RawHttp.to(proxy.httpPort())) {
            assertArrayEquals(files.large(), reader.get("/files/large.bin").body());
        }
        Wait.require("the stalled ones are cut", SOON, () -> proxy.status().busy() == 0);
        for (RawHttp client : stalling) {
            client.close();
        }
    }

    @Test
    void changedFileReachesDownloadsThatAreUnderWay() throws Exception {
        Files.writeString(folder.resolve("files.conf"), "request-rate = 100KB\n");
        Wait.pass(Duration.ofSeconds(1));
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            client.request("GET", "/files/large.bin");
            assertEquals("HTTP/1.1 200 OK", client.line());
            long begin = System.nanoTime();
            while (!client.line().isEmpty()) {
                // The head.
            }
            client.wire().read(100_000);
            Files.writeString(folder.resolve("files.conf"), "request-rate = unlimited\n");
            client.wire().read(7_900_000);

            double seconds = (System.nanoTime() - begin) / 1e9;
            assertTrue(seconds > 0.7 && seconds < 10, seconds + " s");
        }
    }
}
