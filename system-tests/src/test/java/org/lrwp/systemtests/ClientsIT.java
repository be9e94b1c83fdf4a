package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.io.IOException;
import java.time.Duration;

/** Clients that leave, that are slow, that do not read, that hurry. */
@SystemTest
@ServerConfig
class ClientsIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void answerToClientThatHasGoneIsDrainedAndItsPeerStays(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp gone = scene.get("/gone");
        peer.request();
        gone.wire().reset();

        peer.answer(Bytes.join(ScriptedPeer.plain(""), Bytes.random(2_000_000, 3)));

        RawHttp client = scene.get("/next");
        assertEquals("/next", peer.request().env("PATH_INFO"));
        peer.text("right");
        assertEquals("right", client.answer().text());
        scene.requireNext(client);
    }

    @Test
    void clientThatClosesInOrderIsNoFaultOfItsPeer(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp gone = scene.get("/gone");
        peer.request();
        gone.close();

        peer.text("to nobody");

        requireServing(peer, scene);
    }

    @Test
    void clientThatLeavesInMidAnswerFreesAllThatWasKeptForIt(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp gone = scene.closing(RawHttp.slowReader(scene.proxy().httpPort()));
        gone.request("GET", scene.path("/large"));
        peer.request();
        peer.answer(Bytes.join(ScriptedPeer.plain(""), Bytes.random(20_000_000, 9)));
        assertTrue(gone.line().startsWith("HTTP/1.1 200"));
        assertTrue(scene.proxy().status().spooled() > 0);

        gone.wire().reset();

        Wait.require(
                "nothing is kept",
                SOON,
                () ->
                        scene.proxy().status().spooled() == 0
                                && scene.proxy().status().inFlight() == 0);
        requireServing(peer, scene);
    }

    @Test
    void clientThatLeavesBetweenThePartsOfAnAnswerLetsItsPeerEndIt(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp gone = scene.get("/parts");
        peer.request();
        String head = "Content-Type: text/plain\r\n\r\n";
        peer.wire().send("%09d".formatted(head.length() + 10) + head + "first");
        assertTrue(gone.line().startsWith("HTTP/1.1 200"));
        gone.wire().reset();

        peer.wire().send("later");

        requireServing(peer, scene);
    }

    @Test
    void clientThatLeavesWhileItsRefusedBodyIsDroppedIsForgotten(Scene scene) throws Exception {
        RawHttp gone = scene.client();
        gone.send(gone.head("POST", scene.path("/nobody"), "Content-Length: 900000") + "begin");
        Answers.requireError(404, "not-found", gone.answer());

        gone.wire().reset();

        scene.requireNext(scene.client());
    }

    private static void requireServing(ScriptedPeer peer, Scene scene) throws Exception {
        RawHttp client = scene.get("/next");
        assertEquals("/next", peer.request().env("PATH_INFO"));
        peer.text("right");
        assertEquals("right", client.answer().text());
        scene.requireNext(client);
    }

    /** As server-sent events need it. */
    @Test
    void eachPartOfAnAnswerIsWithTheClientBeforeTheNextIsMade(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/events");
        peer.request();
        String head = "Content-Type: text/event-stream\r\n\r\n";
        int events = 20;
        int length = head.length() + events * "data: 00\r\n\r\n".length();
        peer.wire().send("%09d".formatted(length) + head);
        String line = client.line();
        assertEquals("HTTP/1.1 200", line.substring(0, 12));
        while (!line.isEmpty()) {
            line = client.line();
        }

        for (int i = 0; i < events; i++) {
            String event = "data: %02d".formatted(i);
            peer.wire().send(event + "\r\n\r\n");
            assertEquals(event, client.line());
            assertEquals("", client.line());
        }

        scene.requireNext(client);
    }

    @Test
    void clientThatLeavesWhileItWaitsIsForgotten(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp first = scene.get("/first");
        peer.request();
        RawHttp gone = scene.get("/gone");
        scene.awaitWaiting(1);
        gone.wire().reset();

        peer.text("first");

        assertEquals("first", first.answer().text());
        scene.requireNext(first);
    }

    @Test
    void clientThatLeavesWithinItsBodyNeverReachesAPeer(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp gone = scene.client();
        gone.send(gone.head("POST", scene.path("/gone"), "Content-Length: 100") + "only this");
        Wait.require("it is in flight", SOON, () -> scene.proxy().status().inFlight() == 1);

        gone.close();

        Wait.require("it is over", SOON, () -> scene.proxy().status().inFlight() == 0);
        assertEquals(End.OPEN, peer.end(Duration.ofMillis(100)));
    }

    @Test
    void clientThatEndsItsSendingHalfHasLeft(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.post("/half", Bytes.of("body"), "Connection: close");
        peer.request();

        client.wire().halfClose();

        assertThrows(IOException.class, client::answer);
    }

    @Test
    void slowReaderGetsAllOfItsAnswerAndThePeerIsFreeBefore(Scene scene) throws Exception {
        byte[] large = Bytes.random(8_000_000, 5);
        ScriptedPeer peer = scene.peer();
        RawHttp slow = scene.closing(RawHttp.slowReader(scene.proxy().httpPort()));
        slow.request("GET", scene.path("/large"));
        peer.request();
        peer.answer(Bytes.join(ScriptedPeer.plain(""), large));

        RawHttp other = scene.get("/next");
        assertEquals("/next", peer.request().env("PATH_INFO"));
        peer.text("at once");

        assertEquals("at once", other.answer().text());
        HttpAnswer answer = slow.answer();
        assertEquals(HttpAnswer.Framing.LENGTH, answer.framing());
        assertArrayEquals(large, answer.body());
    }

    @Test
    void clientThatReadsNothingIsCut(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp stuck = scene.closing(RawHttp.slowReader(scene.proxy().httpPort()));
        stuck.request("GET", scene.path("/large"));
        peer.request();
        peer.answer(Bytes.join(ScriptedPeer.plain(""), Bytes.random(20_000_000, 5)));

        Wait.require(
                "it is given up",
                Duration.ofSeconds(40),
                () -> scene.proxy().status().inFlight() == 0);

        assertThrows(IOException.class, stuck::answer);
        scene.requireNext(scene.client());
    }

    @Test
    void bodyThatComesTooSlowlyIsRefusedAndNeverHoldsAPeer(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp slow = scene.client();
        slow.send(slow.head("POST", scene.path("/slow"), "Content-Length: 100") + "only this");
        RawHttp other = scene.get("/meanwhile");
        assertEquals("/meanwhile", peer.request().env("PATH_INFO"));
        peer.text("served");

        assertEquals("served", other.answer().text());
        HttpAnswer answer = slow.answer();
        Answers.requireError(408, "body-too-slow", answer);
        assertTrue(answer.saysClose());
        assertTrue(slow.end(SOON) != End.OPEN);
    }

    @Test
    void bodyThatIsSlowButNeverSilentForLongArrives(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp slow = scene.client();
        slow.send(slow.head("POST", scene.path("/slow"), "Content-Length: 3"));
        for (String value : new String[] {"a", "b", "c"}) {
            Wait.pass(Duration.ofMillis(1500));
            slow.send(value);
        }

        assertEquals("abc", peer.request().text());
        peer.text("patience");
        assertEquals("patience", slow.answer().text());
        scene.requireNext(slow);
    }

    @Test
    void chunkedBodyIsDecoded(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.client();
        client.send(
                client.head("POST", scene.path("/chunks"), "Transfer-Encoding: chunked")
                        + "3\r\nabc\r\n5\r\nde\0fg\r\n0\r\n\r\n");

        RequestFrame request = peer.request();
        peer.text("decoded");

        assertEquals("abcde\0fg", request.text());
        assertEquals("8", request.env("CONTENT_LENGTH"));
        assertTrue(!request.has("HTTP_TRANSFER_ENCODING"));
        assertEquals("decoded", client.answer().text());
        scene.requireNext(client);
    }

    @Test
    void bytesOfAllValuesPassBothWays(Scene scene) throws Exception {
        byte[] body = Bytes.random(3_000_000, 11);
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.post("/bytes", body);

        RequestFrame request = peer.request();
        peer.answer(Bytes.join(Bytes.of("Content-Type: x/y\r\n\r\n"), request.body()));

        assertArrayEquals(body, request.body());
        assertArrayEquals(body, client.answer().body());
        scene.requireNext(client);
    }

    @Test
    void expectContinueIsAnswered(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.client();
        String[] lines = {"Content-Length: 4", "Expect: 100-continue"};
        client.send(client.head("POST", scene.path("/expect"), lines));
        assertTrue(client.line().startsWith("HTTP/1.1 100"));
        assertEquals("", client.line());
        client.send("body");

        assertEquals("body", peer.request().text());
        peer.text("continued");
        assertEquals("continued", client.answer().text());
        scene.requireNext(client);
    }

    @Test
    void idleConnectionStaysOpen(Scene scene) throws Exception {
        RawHttp client = scene.client();
        assertEquals(404, client.get("/nothing").status());

        assertEquals(End.OPEN, client.end(Duration.ofSeconds(3)));

        scene.requireNext(client);
    }
}
