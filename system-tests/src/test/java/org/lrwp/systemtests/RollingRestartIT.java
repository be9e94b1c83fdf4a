package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Peers are replaced one after the other while ApacheBench posts: each new one registers before the
 * oldest leaves. What it measures stands in docs/operations.md.
 */
@SystemTest
@ServerConfig
@Timeout(300)
class RollingRestartIT {
    private static final String APP = "patient";
    private static final int PEERS = 2;
    private static final int CONCURRENCY = 8;
    private static final int REQUESTS = 20_000 * Integer.getInteger("scale", 1);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration WORK = Duration.ofMillis(2);

    @TempDir Path folder;
    private final AtomicInteger executed = new AtomicInteger();

    @Test
    void postsNeverFailWithLrwp3(Scene scene) throws Exception {
        Outcome outcome = replacePeers(ProtocolVersion.LRWP_3, "-p", scene);

        assertEquals(0, outcome.failed());
        assertEquals(REQUESTS, executed.get());
    }

    /** A PUT is repeated once: it fails only when it meets two peers that have just gone. */
    @Test
    void putsSeldomFailWithLrwp1(Scene scene) throws Exception {
        Outcome outcome = replacePeers(ProtocolVersion.LRWP_1, "-u", scene);

        assertTrue(outcome.failed() <= outcome.replaced(), outcome::toString);
        assertTrue(
                executed.get() >= REQUESTS - outcome.failed(), () -> executed + " were executed");
    }

    /** LRWP 1 has no word for leaving: a request may meet a peer that has just gone. */
    @Test
    void postsFailAtMostOnceForEachConnectionThatLeavesWithLrwp1(Scene scene) throws Exception {
        Outcome outcome = replacePeers(ProtocolVersion.LRWP_1, "-p", scene);

        assertTrue(outcome.failed() <= outcome.replaced() * CONCURRENCY, outcome::toString);
        assertTrue(executed.get() <= REQUESTS, executed + " were executed");
        assertTrue(executed.get() >= REQUESTS - outcome.failed(), executed + " were executed");
    }

    /**
     * What the load saw.
     *
     * @param replaced peers that were replaced meanwhile
     * @param failed requests without the right answer
     */
    private record Outcome(int replaced, int failed) {}

    private Outcome replacePeers(ProtocolVersion version, String body, Scene scene)
            throws Exception {
        Tools.require("ab");
        Deque<LrwpPeer> peers = new ArrayDeque<>();
        for (int i = 0; i < PEERS; i++) {
            peers.add(peer(version, scene));
        }
        Future<String> load = scene.meanwhile(() -> load(scene, body));
        int replaced = 0;
        while (!load.isDone()) {
            peers.add(peer(version, scene));
            peers.remove().close();
            replaced++;
            Wait.pass(PAUSE);
        }
        String report = load.get();
        int failed = number(report, "Non-2xx responses: +([0-9]+)");
        System.out.printf(
                "%s %s: %d peers replaced, %d requests, %d failed, longest %d ms%n",
                version,
                body.equals("-p") ? "POST" : "PUT",
                replaced,
                number(report, "Complete requests: +([0-9]+)"),
                failed,
                number(report, "100% +([0-9]+)"));
        assertTrue(replaced > PEERS, "only " + replaced + " were replaced");
        assertEquals(REQUESTS, number(report, "Complete requests: +([0-9]+)"), report);
        // An error's length is not that of the first answer, which ab calls a failure too.
        assertTrue(number(report, "Failed requests: +([0-9]+)") <= failed, report);
        while (!peers.isEmpty()) {
            peers.remove().close();
        }
        return new Outcome(replaced, failed);
    }

    private LrwpPeer peer(ProtocolVersion version, Scene scene) throws Exception {
        LrwpPeer peer =
                scene.closing(
                        LrwpPeer.builder()
                                .proxy("127.0.0.1:" + scene.proxy().lrwpPort())
                                .context("/" + APP)
                                .concurrency(CONCURRENCY)
                                .versions(version, version)
                                .listener(event -> {})
                                .handler(
                                        request -> {
                                            executed.incrementAndGet();
                                            Wait.pass(WORK);
                                            return PeerResponse.text(200, "done");
                                        })
                                .connect());
        assertTrue(peer.awaitRegistered(SOON), "a new peer does not register");
        return peer;
    }

    private String load(Scene scene, String option) throws Exception {
        Path body = Files.writeString(folder.resolve("body"), "b".repeat(1500));
        String url = "http://127.0.0.1:" + scene.proxy().httpPort() + "/" + APP + "/x";
        return Tools.run(
                folder,
                Duration.ofMinutes(5),
                "",
                List.of(
                        "ab",
                        "-q",
                        "-k",
                        "-c",
                        "20",
                        "-n",
                        "" + REQUESTS,
                        option,
                        body.toString(),
                        "-T",
                        "text/plain",
                        url));
    }

    /** A number of the report; 0 when it is not told. */
    private static int number(String report, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(report);
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }
}
