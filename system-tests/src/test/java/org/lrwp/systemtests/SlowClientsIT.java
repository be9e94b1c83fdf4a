package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.Dribblers;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** Clients that dribble, or open as much as they can. Those from 127.0.0.1 have no limit. */
@SystemTest
@ServerConfig("slow-clients")
class SlowClientsIT {
    private static final int MANY = 1000;
    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final Duration FAST = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String ELSEWHERE = "127.0.0.2";

    @Test
    void thousandsThatDribbleAreEndedAndNobodyElseNotices(Scene scene) throws Exception {
        scene.echo();
        scene.awaitPeers(1);
        int port = scene.proxy().httpPort();
        RawHttp other = scene.client();
        String path = scene.path("/ordinary");
        try (Dribblers dribblers = new Dribblers()) {
            for (int i = 0; i < MANY; i++) {
                dribblers.add(port, "G", "ET" + scene.path("/head") + "x".repeat(100));
                String head = other.head("POST", scene.path("/body"), "Content-Length: 1000");
                dribblers.add(port, head, "body");
            }
            Future<Integer> left = scene.meanwhile(() -> dribblers.dribble(LONGEST));
            List<Long> times = new ArrayList<>();
            while (!left.isDone()) {
                if (other.isToldToClose()) {
                    other = scene.client();
                }
                long begin = System.nanoTime();
                assertEquals("GET /ordinary\n", other.get(path).text());
                times.add(System.nanoTime() - begin);
            }

            assertEquals(0, left.get());
            assertEquals(MANY, dribblers.told());
            times.sort(null);
            long most = times.get(times.size() * 99 / 100);
            assertTrue(most < FAST.toNanos(), most / 1_000_000 + " ms");
        }
        scene.requireNext(other);
    }

    @Test
    void addressWithTooManyConnectionsGetsNoMore(Scene scene) throws Exception {
        scene.echo();
        scene.awaitPeers(1);
        int port = scene.proxy().httpPort();
        List<RawHttp> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            RawHttp client = scene.closing(RawHttp.from(ELSEWHERE, port));
            assertEquals(200, client.get(scene.path("/x")).status());
            clients.add(client);
        }

        RawHttp more = scene.closing(RawHttp.from(ELSEWHERE, port));
        End end = more.end(SOON);
        assertTrue(end == End.FIN || end == End.RESET, "it is " + end);

        scene.requireNext(scene.client());
        clients.getFirst().close();
        Wait.require("there is room again", SOON, () -> isServed(scene, port));
    }

    private static boolean isServed(Scene scene, int port) throws Exception {
        try (RawHttp next = RawHttp.from(ELSEWHERE, port)) {
            return next.get(scene.path("/x")).status() == 200;
        } catch (IOException closed) {
            return false;
        }
    }

    @Test
    void addressWithTooManyRequestsGets503(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        int port = scene.proxy().httpPort();
        List<RawHttp> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            RawHttp client = scene.closing(RawHttp.from(ELSEWHERE, port));
            client.request("GET", scene.path("/" + i));
            clients.add(client);
        }
        peer.request();
        scene.awaitWaiting(2);

        RawHttp more = scene.closing(RawHttp.from(ELSEWHERE, port));
        Answers.requireError(503, "too-many-requests", more.get(scene.path("/more")));

        clients.forEach(SlowClientsIT::leave);
        Wait.require("they are over", SOON, () -> scene.proxy().status().inFlight() == 0);
        peer.text("to nobody");
        more.request("GET", scene.path("/again"));
        assertEquals("/again", peer.request().env("PATH_INFO"));
        peer.text("now");
        assertEquals("now", more.answer().text());
    }

    private static void leave(RawHttp client) {
        try {
            client.close();
        } catch (IOException e) {
            throw new AssertionError("a socket does not close", e);
        }
    }
}
