package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.Octets;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.time.Duration;

/** Requests that a peer does not want: docs/protocol.md section 15.6. */
@SystemTest
@ServerConfig
class Lrwp3RefusedIT {
    private static final Duration WHILE = Duration.ofMillis(200);
    private static final byte[] BODY = Octets.of("body");

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT"})
    void refusedRequestGoesToAnotherWhateverItsMethod(String method, Scene scene) throws Exception {
        FramePeer first = scene.framePeer();
        RawHttp client = scene.client();
        client.send(method, scene.path("/x"), BODY);
        int stream = first.request("/x").stream();
        FramePeer second = scene.framePeer();

        first.refuse(stream, "not now");

        StreamedRequest request = second.request("/x");
        assertArrayEquals(BODY, request.frame().body());
        second.text(request.stream(), "second");
        assertEquals("second", client.answer().text());
        first.requireAlive();
        scene.requireNext(client);
    }

    @Test
    void refusedRequestMayGoToAPeerOfAnOlderVersion(Scene scene) throws Exception {
        FramePeer first = scene.framePeer();
        RawHttp client = scene.client();
        client.post(scene.path("/x"), BODY);
        int stream = first.request("/x").stream();
        ScriptedPeer second = scene.peer();

        first.refuse(stream, "");

        assertEquals("body", second.request().text());
        second.text("second");
        assertEquals("second", client.answer().text());
    }

    @Test
    void requestThatAllRefuseIsUnavailableAtOnce(Scene scene) throws Exception {
        FramePeer first = scene.framePeer();
        RawHttp client = scene.client();
        client.post(scene.path("/x"), BODY);
        int one = first.request("/x").stream();
        FramePeer second = scene.framePeer();
        first.refuse(one, "no");
        int two = second.request("/x").stream();
        long begin = System.nanoTime();

        second.refuse(two, "no");

        Answers.requireError(503, "refused", client.answer());
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        assertTrue(took.toMillis() < 500, took + " is not at once");
        assertTrue(first.isSilent(WHILE));
        first.requireAlive();
        second.requireAlive();
        scene.requireNext(client);
    }

    @Test
    void requestNeverComesBackToWhoRefusedItAndWaitsForTheOthers(Scene scene) throws Exception {
        FramePeer refuser = scene.framePeer();
        RawHttp client = scene.client();
        client.post(scene.path("/refused"), BODY);
        int stream = refuser.request("/refused").stream();
        FramePeer busy = scene.framePeer();
        RawHttp first = scene.client();
        first.request("GET", scene.path("/busy"));
        int occupied = busy.request("/busy").stream();

        refuser.refuse(stream, "never");
        scene.awaitWaiting(1);

        // The refuser is free, and takes others, but not this one.
        RawHttp another = scene.client();
        another.request("GET", scene.path("/another"));
        refuser.text(refuser.request("/another").stream(), "another");
        assertEquals("another", another.answer().text());
        assertTrue(refuser.isSilent(WHILE));
        busy.text(occupied, "busy");
        busy.text(busy.request("/refused").stream(), "at last");
        assertEquals("busy", first.answer().text());
        assertEquals("at last", client.answer().text());
    }

    @Test
    void refusalBehindTheDrainIsNone(Scene scene) throws Exception {
        FramePeer leaves = scene.framePeer();
        RawHttp client = scene.client();
        client.post(scene.path("/x"), BODY);
        int stream = leaves.request("/x").stream();

        leaves.send(Frame.of(Frame.DRAIN, 0), Frame.of(Frame.REFUSED, stream, "leaving"));

        scene.awaitWaiting(1);
        FramePeer next = scene.dialFrames().open(scene.app());
        next.text(next.request("/x").stream(), "next");
        assertEquals("next", client.answer().text());
        leaves.requireFin();
    }

    @Test
    void refusalAboveTheCapacityIsNone(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=2");
        RawHttp one = scene.client();
        one.request("GET", scene.path("/1"));
        peer.request("/1");
        RawHttp two = scene.client();
        two.post(scene.path("/2"), BODY);
        assertEquals(2, peer.request("/2").stream());

        peer.send(Frame.number(Frame.CAPACITY, 0, 1), Frame.of(Frame.REFUSED, 2, "crossed"));

        scene.awaitWaiting(1);
        assertTrue(peer.isSilent(WHILE));
        peer.text(1, "1");
        peer.text(peer.request("/2").stream(), "2");
        assertEquals("1", one.answer().text());
        assertEquals("2", two.answer().text());
    }

    @Test
    void refusalBehindTheCancelOnlyFreesTheSlot(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.client();
        client.post(scene.path("/late"), BODY);
        int stream = peer.request("/late").stream();
        Answers.requireError(504, "peer-timeout", client.answer());
        peer.expect(Frame.CANCEL, stream);

        peer.refuse(stream, "");

        client.request("GET", scene.path("/next"));
        peer.text(peer.request("/next").stream(), "next");
        assertEquals("next", client.answer().text());
    }

    @Test
    void refusalBehindStartedIsAnError(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("started=1");
        RawHttp client = scene.client();
        client.post(scene.path("/x"), BODY);
        int stream = peer.request("/x").stream();

        peer.send(Frame.of(Frame.STARTED, stream), Frame.of(Frame.REFUSED, stream, "late"));

        peer.requireError("REFUSED");
        Answers.requireError(502, "peer-gone", client.answer());
    }

    @Test
    void refusalBehindTheResponseIsAnError(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.client();
        client.request("GET", scene.path("/x"));
        int stream = peer.request("/x").stream();
        peer.begin(stream, "Content-Type: text/plain\n\nbegin");
        assertTrue(client.line().startsWith("HTTP/1.1 200"));

        peer.refuse(stream, "late");

        peer.requireError("REFUSED");
        Answers3.requireCut(client);
    }

    @Test
    void startedWithoutThePromiseHasNoEffect(Scene scene) throws Exception {
        FramePeer first = scene.framePeer("started=0");
        RawHttp client = scene.client();
        client.post(scene.path("/x"), BODY);
        int stream = first.request("/x").stream();
        FramePeer second = scene.framePeer();

        first.send(Frame.of(Frame.STARTED, stream), Frame.of(Frame.REFUSED, stream, "no"));

        second.text(second.request("/x").stream(), "second");
        assertEquals("second", client.answer().text());
        first.requireAlive();
    }
}
