package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Future;

/** Windows, the only brake: docs/protocol.md section 15.3. */
@SystemTest
@ServerConfig
class Lrwp3WindowIT {
    private static final Duration WHILE = Duration.ofMillis(300);
    private static final int WINDOW = 65_536;
    private static final int CHUNK = 16_384;
    private static final String HEAD = "Content-Type: text/plain\n\n";

    @Test
    void bodyWaitsForTheWindowOfItsReader(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("window=1000");
        byte[] body = Bytes.random(3_000, 1);
        RawHttp client = scene.post("/x", body);

        StreamedRequest request = peer.request();
        assertEquals(1_000, request.frame().body().length);
        assertFalse(request.isWhole());
        assertTrue(peer.isSilent(WHILE));
        peer.window(request.stream(), 500);
        Frame second = peer.expect(Frame.DATA, request.stream());
        assertEquals(500, second.payload().length);
        assertTrue(peer.isSilent(WHILE));
        peer.window(request.stream(), 2_000);
        Frame third = peer.expect(Frame.DATA, request.stream());

        assertTrue(third.isEnd());
        assertArrayEquals(
                body, Bytes.join(request.frame().body(), second.payload(), third.payload()));
        Answers3.requireAnswered(peer, request.stream(), "seen", client);
    }

    @Test
    void requestWithoutBodyNeedsNoWindow(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("window=0");
        RawHttp client = scene.get("/x");

        StreamedRequest request = peer.request();
        assertTrue(request.isWhole());
        Answers3.requireAnswered(peer, request.stream(), "seen", client);
    }

    @Test
    void windowOfEachRequestBeginsAnew(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("window=1000");
        RawHttp client = scene.client();
        for (int i = 0; i < 3; i++) {
            client.post(scene.path("/" + i), new byte[1_000]);
            StreamedRequest request = peer.request("/" + i);
            assertTrue(request.isWhole());
            Answers3.requireAnswered(peer, request.stream(), "seen", client);
        }
    }

    @Test
    void withoutLimitNothingIsCountedAndGrantsMeanNothing(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("window=4294967295");
        byte[] body = Bytes.random(500_000, 2);
        RawHttp client = scene.post("/x", body);

        StreamedRequest request = peer.request();
        peer.window(request.stream(), 4_294_967_295L);
        peer.window(request.stream(), 4_294_967_295L);

        assertArrayEquals(body, peer.body(request));
        Answers3.requireAnswered(peer, request.stream(), "seen", client);
        peer.requireAlive();
    }

    @Test
    void streamWithoutWindowWaitsAlone(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=2", "window=10");
        RawHttp waits = scene.post("/waits", Bytes.random(100_000, 3));
        StreamedRequest held = peer.request("/waits");
        RawHttp goes = scene.client();
        for (int i = 0; i < 20; i++) {
            goes.request("GET", scene.path("/goes"));
            Answers3.requireServed(peer, "/goes", "went", goes);
        }

        peer.window(held.stream(), 100_000);
        assertEquals(100_000, peer.body(held).length);
        Answers3.requireAnswered(peer, held.stream(), "done", waits);
    }

    @Test
    void longAnswerOfAPeerThatDoesNotStreamIsTakenWithoutItsClient(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.closing(RawHttp.slowReader(scene.proxy().httpPort()));
        client.request("GET", scene.path("/x"));
        int stream = peer.request().stream();
        byte[] body = Bytes.random(3_000_000, 4);

        sendAll(peer, stream, body);

        // The whole answer is with the proxy, whose client has not read a byte of it.
        RawHttp next = scene.get("/next");
        Answers3.requireServed(peer, "/next", "next", next);
        assertArrayEquals(body, client.answer().body());
    }

    /** Sends an answer as far as the proxy grants it. */
    private static void sendAll(FramePeer peer, int stream, byte[] body) throws Exception {
        peer.begin(stream, HEAD);
        long credit = WINDOW;
        int sent = 0;
        while (sent < body.length) {
            while (credit == 0) {
                credit += peer.expect(Frame.WINDOW, stream).number();
            }
            int count = (int) Math.min(Math.min(CHUNK, credit), body.length - sent);
            boolean last = sent + count == body.length;
            Frame data = Frame.of(Frame.DATA, stream, Arrays.copyOfRange(body, sent, sent + count));
            peer.send(last ? data.ending() : data);
            sent += count;
            credit -= count;
        }
        // What is granted behind the end crosses it on the wire.
        peer.skipWindows(stream);
    }

    @Test
    void slowClientHoldsBackTheAnswerOfAStreamingPeerAlone(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=2", "stream=1");
        RawHttp slow = scene.closing(RawHttp.slowReader(scene.proxy().httpPort()));
        slow.request("GET", scene.path("/slow"));
        int stream = peer.request("/slow").stream();
        peer.begin(stream, HEAD);

        long sent = peer.sendUntilHeldBack(stream, WINDOW);

        assertTrue(sent < 6_000_000, sent + " bytes were taken for a client that reads none");
        RawHttp quick = scene.client();
        for (int i = 0; i < 20; i++) {
            quick.request("GET", scene.path("/quick"));
            Answers3.requireServed(peer, "/quick", "quick", quick);
        }
        Future<HttpAnswer> answer = scene.meanwhile(slow::answer);
        peer.expect(Frame.WINDOW, stream);
        peer.endData(stream);
        assertEquals(sent, answer.get().body().length);
    }

    @Test
    void overrunIsAnError(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("stream=1");
        RawHttp slow = scene.closing(RawHttp.slowReader(scene.proxy().httpPort()));
        slow.request("GET", scene.path("/slow"));
        int stream = peer.request().stream();
        peer.begin(stream, HEAD);
        peer.sendUntilHeldBack(stream, WINDOW);

        peer.data(stream, "x");

        peer.requireError("window");
    }

    @Test
    void emptyDataNeedsNoWindow(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("stream=1");
        RawHttp slow = scene.closing(RawHttp.slowReader(scene.proxy().httpPort()));
        slow.request("GET", scene.path("/slow"));
        int stream = peer.request().stream();
        peer.begin(stream, HEAD);
        peer.sendUntilHeldBack(stream, WINDOW);

        peer.data(stream, "");
        peer.endData(stream);

        slow.answer();
        peer.skipWindows(stream);
    }

    @Test
    void moreCreditThanFourBytesHoldIsAnError(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("window=4294967294", "stream=1");
        RawHttp client = scene.client();
        client.send(client.head("PUT", scene.path("/x"), "Content-Length: 1000") + "begin");
        StreamedRequest request = peer.request();

        peer.window(request.stream(), 4_294_967_295L);

        peer.requireError("window");
    }

    @Test
    void bodyThatIsDiscardedIsGrantedAsIfDelivered(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.client();
        client.request("HEAD", scene.path("/x"));
        int stream = peer.request().stream();

        sendAll(peer, stream, new byte[500_000]);

        assertEquals(200, client.answerToHead().status());
        scene.requireNext(client);
    }
}
