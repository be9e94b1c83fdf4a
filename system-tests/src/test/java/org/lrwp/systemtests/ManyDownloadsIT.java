package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.DownloadPeerProcess;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Two thousand slow downloads at once, in each place, on a server with four threads for requests.
 */
@Timeout(240)
class ManyDownloadsIT {
    private static final int DOWNLOADS = 2000;
    private static final int OTHERS = 200;
    private static final int SIZE = 1_000_000;
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir Path root;

    @Test
    void otherRequestsAnswerAtOnceBesideTwoThousandSlowDownloads() throws Exception {
        Files.write(root.resolve("slow"), Bytes.random(SIZE, 1));
        Path configuration = Configuration.install("scale", "downloads");
        Files.writeString(
                configuration,
                """

                module.files.type = download
                module.files.context = /local
                module.files.root = %s
                module.files.request-rate = 2KB
                """
                        .formatted(root),
                StandardOpenOption.APPEND);
        try (ProxyProcess proxy =
                        ProxyProcess.start("downloads", configuration, "--http-threads", "4");
                ProcessPeer peer =
                        DownloadPeerProcess.start(
                                proxy.lrwpPort(), "/files", root, "--request-rate", "2KB")) {
            assertTrue(peer.isRunning());
            Wait.require(
                    "the peer has registered",
                    SOON,
                    () -> proxy.status().number("/files", "connections") > 0);
            for (String context : List.of("/files", "/local")) {
                List<RawHttp> clients = new ArrayList<>();
                try {
                    run(proxy, context, clients);
                } finally {
                    for (RawHttp client : clients) {
                        client.close();
                    }
                }
            }
        }
    }

    private static void run(ProxyProcess proxy, String context, List<RawHttp> clients)
            throws Exception {
        for (int i = 0; i < DOWNLOADS; i++) {
            RawHttp client = RawHttp.to(proxy.httpPort());
            clients.add(client);
            client.request("GET", context + "/slow");
        }
        Wait.require(
                "all are under way",
                SOON,
                () -> proxy.status().number(context, "busy") == DOWNLOADS);

        long[] times = new long[OTHERS];
        try (RawHttp other = RawHttp.to(proxy.httpPort())) {
            for (int i = 0; i < OTHERS; i++) {
                long begin = System.nanoTime();
                assertEquals(404, other.get(context + "/none").status());
                times[i] = System.nanoTime() - begin;
            }
        }

        Arrays.sort(times);
        long median = Duration.ofNanos(times[OTHERS / 2]).toMillis();
        assertTrue(median < 100, median + " ms for a request beside the downloads");
        for (RawHttp client : clients) {
            assertEquals("HTTP/1.1 200 OK", client.line());
            while (!client.line().isEmpty()) {
                // The head.
            }
            assertEquals(100, client.wire().read(100).length);
        }
    }
}
