package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;

/** A thousand peers and five thousand waiting requests. */
@SystemTest
@ServerConfig("scale")
@Timeout(300)
class ScaleIT {
    private static final int SCALE = Integer.getInteger("scale", 1);
    private static final Duration SOON = Duration.ofMinutes(1);

    @Test
    void threadsAreAsManyWithAThousandPeersAsWithTen(Scene scene) throws Exception {
        int few = threadsWith(scene, scene.app() + "-few", 10, 0, Integer.MAX_VALUE);
        int many = threadsWith(scene, scene.app() + "-many", 1000 * SCALE, 5000 * SCALE, few);

        assertTrue(many <= few, () -> few + " threads became " + many);
    }

    /**
     * Threads with so many busy peers and waiting requests, which are all served then; waits until
     * they are no more than expected, as the container's go after use.
     */
    private static int threadsWith(
            Scene scene, String app, int peerCount, int waiting, int expected) throws Exception {
        String context = "/" + app;
        List<ScriptedPeer> peers = new ArrayList<>();
        for (int i = 0; i < peerCount; i++) {
            peers.add(scene.peer(app));
        }
        List<RawHttp> clients = new ArrayList<>();
        for (int i = 0; i < peerCount + waiting; i++) {
            RawHttp client = scene.client();
            client.wire().patience(SOON);
            client.request("GET", context + "/" + i);
            clients.add(client);
        }
        Wait.require(
                peerCount + " are busy and " + waiting + " wait",
                SOON,
                () ->
                        scene.proxy().status().number(context, "busy") == peerCount
                                && scene.proxy().status().number(context, "waiting") == waiting);
        Wait.until(SOON, () -> scene.proxy().threads() <= expected);
        int threads = scene.proxy().threads();
        List<Future<Integer>> serving = new ArrayList<>();
        for (ScriptedPeer peer : peers) {
            serving.add(scene.meanwhile(() -> serve(peer)));
        }
        for (int i = 0; i < clients.size(); i++) {
            assertEquals("served /" + i, clients.get(i).answer().text());
        }
        int served = 0;
        for (ScriptedPeer peer : peers) {
            peer.close();
        }
        for (Future<Integer> peer : serving) {
            served += peer.get();
        }
        assertEquals(clients.size(), served);
        return threads;
    }

    private static int serve(ScriptedPeer peer) {
        int count = 0;
        try {
            while (true) {
                RequestFrame request = peer.request();
                peer.text("served " + request.env("PATH_INFO"));
                count++;
            }
        } catch (IOException e) {
            return count;
        }
    }

    @Test
    void requestsOfAContextAreServedInTheOrderTheyCame(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        List<RawHttp> clients = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            RawHttp client = scene.get("/" + i);
            clients.add(client);
            expected.add("/" + i);
            if (i > 0) {
                scene.awaitWaiting(i);
            } else {
                expected.set(0, peer.request().env("PATH_INFO"));
            }
        }

        List<String> order = new ArrayList<>(List.of("/0"));
        peer.text("done");
        for (int i = 1; i < clients.size(); i++) {
            order.add(peer.request().env("PATH_INFO"));
            peer.text("done");
        }

        assertEquals(expected, order);
        for (RawHttp client : clients) {
            assertEquals("done", client.answer().text());
        }
    }

    @Test
    void outageOfOneContextDoesNotSlowAnother(Scene scene) throws Exception {
        String app = scene.app() + "-well";
        scene.closing(ServingPeer.echo(scene.proxy().lrwpPort(), app));
        RawHttp client = scene.client();
        long before = median(client, "/" + app);
        ScriptedPeer stuck = scene.peer();
        List<RawHttp> waiting = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            waiting.add(scene.client());
            waiting.getLast().request("GET", scene.path("/" + i));
        }
        scene.awaitWaiting(999);

        long during = median(client, "/" + app);

        long bound = Math.max(before * 5, Duration.ofMillis(50).toNanos());
        assertTrue(during < bound, "median was " + before + " ns, is " + during + " ns");
        Future<Integer> serving = scene.meanwhile(() -> serve(stuck));
        for (RawHttp one : waiting) {
            assertEquals(200, one.answer().status());
        }
        stuck.close();
        assertEquals(1000, serving.get());
    }

    private static long median(RawHttp client, String context) throws Exception {
        long[] times = new long[200];
        for (int i = 0; i < times.length; i++) {
            long begin = System.nanoTime();
            assertEquals(200, client.get(context + "/" + i).status());
            times[i] = System.nanoTime() - begin;
        }
        Arrays.sort(times);
        return times[times.length / 2];
    }
}
