package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.testkit.wire.ServingPeer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** ApacheBench with 50 keep-alive connections against 8 peers. */
@SystemTest
@ServerConfig
class AbIT {
    private static final int REQUESTS = 20_000 * Integer.getInteger("scale", 1);
    private static final int PEERS = 8;

    @TempDir Path folder;

    @Test
    void noRequestFailsAndThePeersSawEachOnce(Scene scene) throws Exception {
        Tools.require("ab");
        String app = "patient";
        List<ServingPeer> peers = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            peers.add(scene.closing(ServingPeer.echo(scene.proxy().lrwpPort(), app)));
        }
        Path body = Files.writeString(folder.resolve("body"), "b".repeat(1500));
        String url = "http://127.0.0.1:" + scene.proxy().httpPort() + "/" + app + "/x";

        String report =
                Tools.run(
                        folder,
                        Duration.ofMinutes(2),
                        "",
                        List.of(
                                "ab",
                                "-q",
                                "-k",
                                "-c",
                                "50",
                                "-n",
                                "" + REQUESTS,
                                "-p",
                                body.toString(),
                                "-T",
                                "text/plain",
                                url));

        assertTrue(has(report, "Failed requests: +0"), report);
        assertTrue(has(report, "Complete requests: +" + REQUESTS), report);
        assertTrue(!report.contains("Non-2xx"), report);
        assertEquals(REQUESTS, peers.stream().mapToInt(peer -> peer.seen().size()).sum());
    }

    private static boolean has(String report, String pattern) {
        return Pattern.compile(pattern).matcher(report).find();
    }
}
