package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.ServingPeer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The first requests of a server, which load classes, open jars and fill its pools. */
final class WarmUp {
    private static final int CLIENTS = 48;
    private static final int ROUNDS = 12;

    private WarmUp() {}

    static void of(ProxyProcess proxy) throws Exception {
        try (ServingPeer peer = ServingPeer.echo(proxy.lrwpPort(), "warm-up");
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                all.add(clients.submit(() -> rounds(proxy)));
            }
            for (Future<Integer> one : all) {
                one.get();
            }
            if (peer.seen().isEmpty()) {
                throw new AssertionError("the warm-up did not reach its peer");
            }
        }
        Wait.require(
                "the warm-up's peer is gone",
                Duration.ofSeconds(20),
                () -> proxy.status().peers() == 0);
    }

    private static int rounds(ProxyProcess proxy) throws Exception {
        int answers = 0;
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            for (int i = 0; i < ROUNDS; i++) {
                client.get("/warm-up/x");
                client.post("/warm-up/x", Bytes.random(200_000, i));
                client.answer();
                client.get("/nothing-here");
                // Below a file's name the container is asked, which comes with the first request.
                client.get("/index.html");
                client.post("/index.html/none", new byte[10]);
                answers += client.answer().status() == 404 ? 1 : 0;
            }
        }
        return answers;
    }
}
