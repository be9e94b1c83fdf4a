package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.End;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.Octets;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.RequestFrame;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ScriptedPeer;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;

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
        RawHttp gone = scene.client();
        gone.request("GET", scene.path("/gone"));
        peer.request();
        gone.wire().reset();

        peer.answer(Octets.join(ScriptedPeer.plain(""), Octets.random(2_000_000, 3)));

        RawHttp client = scene.client();
        client.request("GET", scene.path("/next"));
        assertEquals("/next", peer.request().env("PATH_INFO"));
        peer.text("right");
        assertEquals("right", client.answer().text());
        scene.requireNext(client);
    }

    @Test
    void clientThatLeavesWhileItWaitsIsForgotten(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp first = scene.client();
        first.request("GET", scene.path("/first"));
        peer.request();
        RawHttp gone = scene.client();
        gone.request("GET", scene.path("/gone"));
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
    void clientThatHasSaidItsLastWordStillGetsItsAnswer(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.client();
        client.post(scene.path("/half"), Octets.of("body"), "Connection: close");
        peer.request();

        client.wire().halfClose();
        Wait.pass(Duration.ofMillis(100));
        peer.text("answer");

        assertEquals("answer", client.answer().text());
    }

    @Test
    void slowReaderGetsAllOfItsAnswerAndThePeerIsFreeBefore(Scene scene) throws Exception {
        byte[] large = Octets.random(8_000_000, 5);
        ScriptedPeer peer = scene.peer();
        RawHttp slow = scene.closing(RawHttp.slowReader(scene.proxy().httpPort()));
        slow.request("GET", scene.path("/large"));
        peer.request();
        peer.answer(Octets.join(ScriptedPeer.plain(""), large));

        RawHttp other = scene.client();
        other.request("GET", scene.path("/next"));
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
        peer.answer(Octets.join(ScriptedPeer.plain(""), Octets.random(20_000_000, 5)));

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
        RawHttp other = scene.client();
        other.request("GET", scene.path("/meanwhile"));
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
        for (String octet : new String[] {"a", "b", "c"}) {
            Wait.pass(Duration.ofMillis(1500));
            slow.send(octet);
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
    void octetsOfAllValuesPassBothWays(Scene scene) throws Exception {
        byte[] body = Octets.random(3_000_000, 11);
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.client();
        client.post(scene.path("/octets"), body);

        RequestFrame request = peer.request();
        peer.answer(Octets.join(Octets.of("Content-Type: x/y\r\n\r\n"), request.body()));

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
