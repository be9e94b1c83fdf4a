package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Requests that have to wait for a peer, and those that wait in vain. */
@SystemTest
@ServerConfig
class QueueIT {
    private static final int QUEUE_LENGTH = 5;
    private static final Duration QUEUE_TIME = Duration.ofSeconds(3);

    @Test
    void contextThatNobodyServesIsTheDefaultServletsMatter(Scene scene) throws Exception {
        RawHttp client = scene.client();

        Answers.requireError(404, "not-found", client.get(scene.path("/x")));

        scene.requireNext(client);
    }

    @Test
    void requestAboveTheQueueIsRefusedAtOnce(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        List<RawHttp> clients = fill(scene, peer);
        RawHttp refused = scene.client();

        long begin = System.nanoTime();
        HttpAnswer answer = refused.get(scene.path("/too-many"));
        long took = System.nanoTime() - begin;

        Answers.requireError(503, "queue-full", answer);
        assertEquals("1", answer.value("Retry-After").orElse(""));
        assertTrue(took < QUEUE_TIME.toNanos() / 2, "it took " + took + " ns");
        peer.text("first");
        assertEquals("first", clients.getFirst().answer().text());
        for (RawHttp client : clients.subList(1, clients.size())) {
            peer.request();
            peer.text("later");
            assertEquals("later", client.answer().text());
        }
        scene.requireNext(refused);
    }

    @Test
    void refusalReachesClientThatIsStillSending(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        List<RawHttp> clients = fill(scene, peer);
        RawHttp refused = scene.client();

        refused.send(refused.head("POST", scene.path("/x"), "Content-Length: 1000") + "begin");
        refused.send("x".repeat(995));

        Answers.requireError(503, "queue-full", refused.answer());
        scene.requireNext(refused);
        serveAll(peer, clients);
    }

    /** RFC 9110 section 9.3.2: what follows would be taken for the next answer. */
    @Test
    void refusalOfHeadHasNoBody(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        List<RawHttp> clients = fill(scene, peer);
        RawHttp refused = scene.client();

        refused.request("HEAD", scene.path("/x"));

        HttpAnswer answer = refused.answerToHead();
        assertEquals(503, answer.status());
        assertTrue(Integer.parseInt(answer.value("Content-Length").orElseThrow()) > 0);
        scene.requireNext(refused);
        serveAll(peer, clients);
    }

    /** One request with the peer and a full queue behind it. */
    private static List<RawHttp> fill(Scene scene, ScriptedPeer peer) throws Exception {
        List<RawHttp> clients = new ArrayList<>();
        clients.add(scene.client());
        clients.getFirst().request("GET", scene.path("/0"));
        peer.request();
        for (int i = 1; i <= QUEUE_LENGTH; i++) {
            RawHttp client = scene.get("/" + i);
            clients.add(client);
            scene.awaitWaiting(i);
        }
        return clients;
    }

    private static void serveAll(ScriptedPeer peer, List<RawHttp> clients) throws Exception {
        peer.text("first");
        assertEquals("first", clients.getFirst().answer().text());
        for (RawHttp client : clients.subList(1, clients.size())) {
            peer.request();
            peer.text("later");
            assertEquals("later", client.answer().text());
        }
    }

    @Test
    void requestThatWaitedPastItsDeadlineIsRefusedWithinASecond(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp first = scene.get("/first");
        peer.request();
        RawHttp second = scene.client();

        long begin = System.nanoTime();
        HttpAnswer answer = second.get(scene.path("/second"));
        Duration took = Duration.ofNanos(System.nanoTime() - begin);

        Answers.requireError(503, "waited-too-long", answer);
        assertEquals("1", answer.value("Retry-After").orElse(""));
        assertTrue(took.compareTo(QUEUE_TIME) >= 0, took + " is too early");
        assertTrue(took.compareTo(QUEUE_TIME.plusSeconds(1)) < 0, took + " is too late");
        peer.text("first");
        assertEquals("first", first.answer().text());
        scene.requireNext(second);
        scene.requireNext(first);
    }

    @Test
    void waitingRequestsAreServedInTheOrderTheyCame(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        List<RawHttp> clients = fill(scene, peer);

        List<String> order = new ArrayList<>();
        peer.text("done");
        for (int i = 1; i <= QUEUE_LENGTH; i++) {
            RequestFrame request = peer.request();
            order.add(request.env("PATH_INFO"));
            peer.text("done");
        }

        assertEquals(List.of("/1", "/2", "/3", "/4", "/5"), order);
        for (RawHttp client : clients) {
            assertEquals("done", client.answer().text());
        }
    }

    @Test
    void peerThatJoinsTakesTheLongestWaiting(Scene scene) throws Exception {
        ScriptedPeer busy = scene.peer();
        List<RawHttp> clients = fill(scene, busy);

        ScriptedPeer joins = scene.peer();
        RequestFrame request = joins.request();
        joins.text("by the new one");

        assertEquals("/1", request.env("PATH_INFO"));
        assertEquals("by the new one", clients.get(1).answer().text());
        for (RawHttp client : clients.subList(2, clients.size())) {
            joins.request();
            joins.text("later");
            assertEquals("later", client.answer().text());
        }
        busy.text("first");
        assertEquals("first", clients.getFirst().answer().text());
    }

    @Test
    void requestsWaitForTheReturnOfTheLastPeer(Scene scene) throws Exception {
        scene.peer().close();
        scene.awaitPeers(0);
        RawHttp client = scene.get("/patient");
        scene.awaitWaiting(1);

        ServingPeer back = scene.echo();

        Answers.requireEcho("GET", "/patient", "", client.answer());
        assertEquals(1, back.seen().size());
        scene.requireNext(client);
    }

    @Test
    void waitingRequestsOfAContextWhoseLastPeerStaysAwayAreRefused(Scene scene) throws Exception {
        scene.peer().close();
        scene.awaitPeers(0);
        RawHttp client = scene.client();

        HttpAnswer answer = client.get(scene.path("/in-vain"));

        assertEquals(503, answer.status());
        assertEquals("1", answer.value("Retry-After").orElse(""));
        scene.requireNext(client);
    }

    @Test
    void contextWithoutPeersIsForgottenAfterTheGraceTime(Scene scene) throws Exception {
        scene.peer().close();
        Wait.require(
                "the context is gone",
                Duration.ofSeconds(20),
                () -> scene.proxy().status().context("/" + scene.app()).isEmpty());
        RawHttp client = scene.client();

        Answers.requireError(404, "not-found", client.get(scene.path("/x")));

        scene.requireNext(client);
    }

    @Test
    void namedContextWithoutPeersIsUnavailableNotMissing(Scene scene) throws Exception {
        RawHttp client = scene.client();

        HttpAnswer answer = client.get("/named/x");

        assertEquals(503, answer.status());
        scene.requireNext(client);
    }
}
