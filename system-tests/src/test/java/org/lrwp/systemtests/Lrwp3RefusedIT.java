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
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.time.Duration;

/** Requests that a peer does not want: docs/protocol.md section 15.6. */
@SystemTest
@ServerConfig
class Lrwp3RefusedIT {
    private static final Duration WHILE = Duration.ofMillis(200);
    private static final byte[] BODY = Bytes.of("body");

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
        Answers3.requireAnswered(second, request.stream(), "second", client);
        first.requireAlive();
        scene.requireNext(client);
    }

    @Test
    void refusedRequestMayGoToAPeerOfAnOlderVersion(Scene scene) throws Exception {
        FramePeer first = scene.framePeer();
        RawHttp client = scene.post("/x", BODY);
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
        RawHttp client = scene.post("/x", BODY);
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
        RawHttp client = scene.post("/refused", BODY);
        int stream = refuser.request("/refused").stream();
        FramePeer busy = scene.framePeer();
        RawHttp first = scene.get("/busy");
        int occupied = busy.request("/busy").stream();

        refuser.refuse(stream, "never");
        scene.awaitWaiting(1);

        // The refuser is free, and takes others, but not this one.
        RawHttp another = scene.get("/another");
        Answers3.requireServed(refuser, "/another", "another", another);
        assertTrue(refuser.isSilent(WHILE));
        busy.text(occupied, "busy");
        busy.text(busy.request("/refused").stream(), "at last");
        assertEquals("busy", first.answer().text());
        assertEquals("at last", client.answer().text());
    }

    @Test
    void refusalBehindTheDrainIsNone(Scene scene) throws Exception {
        FramePeer leaves = scene.framePeer();
        RawHttp client = scene.post("/x", BODY);
        int stream = leaves.request("/x").stream();

        leaves.send(Frame.of(Frame.DRAIN, 0), Frame.of(Frame.REFUSED, stream, "leaving"));

        scene.awaitWaiting(1);
        FramePeer next = scene.dialFrames().open(scene.app());
        Answers3.requireServed(next, "/x", "next", client);
        leaves.requireFin();
    }

    @Test
    void refusalAboveTheCapacityIsNone(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=2");
        RawHttp one = scene.get("/1");
        peer.request("/1");
        RawHttp two = scene.post("/2", BODY);
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
        RawHttp client = scene.post("/late", BODY);
        int stream = peer.request("/late").stream();
        Answers.requireError(504, "peer-timeout", client.answer());
        peer.expect(Frame.CANCEL, stream);

        peer.refuse(stream, "");

        client.request("GET", scene.path("/next"));
        Answers3.requireServed(peer, "/next", "next", client);
    }

    @Test
    void refusalBehindStartedIsAnError(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("started=1");
        RawHttp client = scene.post("/x", BODY);
        int stream = peer.request("/x").stream();

        peer.send(Frame.of(Frame.STARTED, stream), Frame.of(Frame.REFUSED, stream, "late"));

        peer.requireError("REFUSED");
        Answers.requireError(502, "peer-gone", client.answer());
    }

    @Test
    void refusalBehindTheResponseIsAnError(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
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
        RawHttp client = scene.post("/x", BODY);
        int stream = first.request("/x").stream();
        FramePeer second = scene.framePeer();

        first.send(Frame.of(Frame.STARTED, stream), Frame.of(Frame.REFUSED, stream, "no"));

        Answers3.requireServed(second, "/x", "second", client);
        first.requireAlive();
    }
}
