package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.PeerTimes;
import org.lrwp.systemtests.harness.ClusterNode;
import org.lrwp.systemtests.harness.HaProxy;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The steps of docs/cluster.md: two nodes behind HAProxy are drained, stopped and started again,
 * one after the other, while clients post. No request fails, and none is done twice.
 */
final class RollingUpdate {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int CLIENTS = 4;
    private static final Duration WORK = Duration.ofMillis(2);

    private final Path folder;
    private final ClusterNode a;
    private final ClusterNode b;
    private final AtomicBoolean over = new AtomicBoolean();
    private final Queue<String> done = new ConcurrentLinkedQueue<>();
    private final Queue<String> failed = new ConcurrentLinkedQueue<>();

    RollingUpdate(Path folder, ClusterNode a, ClusterNode b) {
        this.folder = folder;
        this.a = a;
        this.b = b;
    }

    /** Dials both nodes, and again when one of them is back. */
    private LrwpPeer peer() throws Exception {
        return LrwpPeer.builder()
                .proxy("127.0.0.1:" + a.proxy().lrwpPort())
                .proxy("127.0.0.1:" + b.proxy().lrwpPort())
                .context("/" + ClusterNode.ROLLING)
                .concurrency(CLIENTS)
                .times(
                        PeerTimes.defaults()
                                .withRetry(Duration.ofMillis(50), Duration.ofMillis(200)))
                .listener(event -> {})
                .handler(
                        request -> {
                            String id =
                                    new String(
                                            request.body().readAllBytes(),
                                            StandardCharsets.US_ASCII);
                            Wait.pass(WORK);
                            done.add(id);
                            return PeerResponse.text(200, id);
                        })
                .connect();
    }

    private int client(HaProxy front, String name) throws IOException {
        int count = 0;
        try (RawHttp client = RawHttp.to(front.port())) {
            while (!over.get()) {
                String id = name + count++;
                client.post("/rolling/x", id.getBytes(StandardCharsets.US_ASCII));
                HttpAnswer answer = client.answer();
                if (answer.status() != 200 || !answer.text().equals(id)) {
                    failed.add(id + ": " + answer);
                }
            }
        }
        return count;
    }

    /** Does it; the operator asks one node, which tells the other. */
    void run(ExecutorService threads) throws Exception {
        try (LrwpPeer _ = peer()) {
            Wait.require("both are ready", SOON, () -> a.isReady() && b.isReady());
            update(threads);
        }
    }

    private void update(ExecutorService threads) throws Exception {
        try (HaProxy front = HaProxy.start(folder, a, b)) {
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String name = "client" + i + "-";
                clients.add(threads.submit(() -> client(front, name)));
            }
            try {
                update("b", b, front);
                update("a", a, front);
            } finally {
                over.set(true);
            }
            int count = 0;
            for (Future<Integer> client : clients) {
                count += client.get();
            }
            assertEquals(List.of(), List.copyOf(failed));
            assertTrue(count > 100, "too few requests: " + count);
            assertEquals(count, done.size());
            assertEquals(count, new HashSet<>(done).size());
        }
    }

    private void update(String name, ClusterNode node, HaProxy front) throws Exception {
        HttpAnswer drained = a.act("cluster/drain", "{\"node\":\"" + name + "\"}");
        assertEquals(200, drained.status(), drained::toString);
        ClusterNode other = node.equals(a) ? b : a;
        Wait.require("HAProxy has noticed", SOON, () -> !front.sendsTo(name));
        Wait.require("nothing is in flight", SOON, () -> node.proxy().status().inFlight() == 0);
        int before = done.size();
        node.restart();
        assertTrue(done.size() > before, "the other one has answered nothing");
        Wait.require("it is ready", SOON, () -> node.isReady() && front.sendsTo(name));
        Wait.require("the other one knows it", SOON, () -> other.stateOf(name).equals("live"));
    }
}
