package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** Bodies of unknown length, both ways: docs/protocol.md section 15.8. */
@SystemTest
@ServerConfig
class Lrwp3StreamingIT {
    private static final Duration WHILE = Duration.ofMillis(300);

    @ParameterizedTest
    @ValueSource(strings = {"stream=0", "stream=1"})
    void eachEventIsWithTheClientBeforeTheNextIsSent(String setting, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer(setting);
        RawHttp client = scene.get("/events");
        int stream = peer.request("/events").stream();

        peer.begin(stream, "Content-Type: text/event-stream\n\ndata: 0\n\n");
        readHead(client);
        assertEquals("data: 0\n\n", readChunk(client));
        for (int i = 1; i <= 20; i++) {
            peer.data(stream, "data: " + i + "\n\n");
            assertEquals("data: " + i + "\n\n", readChunk(client));
        }
        peer.endData(stream);
        assertEquals("", readChunk(client));
        peer.requireAlive();
    }

    private static void readHead(RawHttp client) throws IOException {
        boolean chunked = false;
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            chunked |= line.equalsIgnoreCase("Transfer-Encoding: chunked");
        }
        assertTrue(chunked, "not chunked");
    }

    private static String readChunk(RawHttp client) throws IOException {
        int size = Integer.parseInt(client.line().strip(), 16);
        String chunk = Bytes.text(client.wire().read(size));
        assertEquals("", client.line());
        return chunk;
    }

    @Test
    void headOfAnAnswerIsPassedOnBeforeItsBody(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        peer.begin(stream, "Content-Type: text/event-stream\n\n");

        readHead(client);
        peer.endData(stream);
        assertEquals("", readChunk(client));
    }

    @Test
    void wholeAnswerGetsItsLength(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");

        peer.text(peer.request("/x").stream(), "whole");

        HttpAnswer answer = client.answer();
        assertEquals(HttpAnswer.Framing.LENGTH, answer.framing());
        assertEquals("whole", answer.text());
        scene.requireNext(client);
    }

    @Test
    void emptyAnswerGetsTheLengthZero(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");

        peer.text(peer.request("/x").stream(), "");

        assertEquals(Optional.of("0"), client.answer().value("Content-Length"));
        scene.requireNext(client);
    }

    @ParameterizedTest
    @CsvSource({"GET, 204", "GET, 304", "HEAD, 200"})
    void answerWithoutBodyGetsNoLength(String method, int status, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.client();
        client.request(method, scene.path("/x"));
        int stream = peer.request("/x").stream();

        peer.send(Frame.of(Frame.RESPONSE, stream, "Status: " + status + " X\n\n").ending());

        HttpAnswer answer = method.equals("HEAD") ? client.answerToHead() : client.answer();
        assertEquals(status, answer.status());
        assertEquals(Optional.empty(), answer.value("Content-Length"));
        scene.requireNext(client);
    }

    @Test
    void announcedLengthIsPassedOn(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        peer.begin(stream, "Content-Type: text/plain\nContent-Length: 6\n\nabc");
        peer.lastData(stream, "def");

        HttpAnswer answer = client.answer();
        assertEquals(HttpAnswer.Framing.LENGTH, answer.framing());
        assertEquals("abcdef", answer.text());
        scene.requireNext(client);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Connection: keep-alive\r\n"})
    void answerOfUnknownLengthEndsWithTheConnectionOfAnOldClient(String field, Scene scene)
            throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.client();
        client.send("GET " + scene.path("/x") + " HTTP/1.0\r\nHost: x\r\n" + field + "\r\n");
        int stream = peer.request("/x").stream();

        peer.begin(stream, "Content-Type: text/plain\n\nabc");
        peer.lastData(stream, "def");

        assertEquals("abcdef", client.answer().text());
    }

    @Test
    void cutOfAnAnswerToAnOldClientIsAReset(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.client();
        client.send("GET " + scene.path("/x") + " HTTP/1.0\r\nHost: x\r\n\r\n");
        int stream = peer.request("/x").stream();
        peer.begin(stream, "Content-Type: text/plain\n\nabc");
        assertTrue(client.line().contains("200"));

        peer.cancel(stream, "failed");

        Answers3.requireCut(client);
    }

    @Test
    void slowUploadHoldsNoSlotUnlessThePeerStreams(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("stream=0");
        RawHttp slow = scene.client();
        slow.send(slow.head("POST", scene.path("/slow"), "Content-Length: 6") + "123");
        assertTrue(peer.isSilent(WHILE));
        RawHttp quick = scene.get("/quick");
        Answers3.requireServed(peer, "/quick", "quick", quick);

        slow.send("456");

        StreamedRequest request = peer.request("/slow");
        assertTrue(request.isWhole());
        assertEquals("123456", request.frame().text());
        Answers3.requireAnswered(peer, request.stream(), "slow", slow);
    }

    @Test
    void largeBodyIsCollectedBeforeItComesUnlessThePeerStreams(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("window=4294967295");
        RawHttp client = scene.client();
        byte[] body = Bytes.random(2_000_000, 5);
        client.send(client.head("POST", scene.path("/x"), "Content-Length: " + body.length));
        client.wire().send(Arrays.copyOf(body, 1_999_999));
        assertTrue(peer.isSilent(WHILE));

        client.wire().send(new byte[] {body[1_999_999]});

        StreamedRequest request = peer.request("/x");
        assertArrayEquals(body, peer.body(request));
        Answers3.requireAnswered(peer, request.stream(), "done", client);
    }

    @Test
    void streamingPeerGetsTheRequestAtItsHeadAndTheBodyAsItComes(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("stream=1");
        RawHttp client = scene.client();
        client.send(client.head("POST", scene.path("/x"), "Content-Length: 6"));

        StreamedRequest request = peer.request("/x");
        assertEquals("6", request.env("CONTENT_LENGTH"));
        assertFalse(request.isWhole());
        assertEquals("", request.frame().text());
        client.send("123");
        Frame first = peer.expect(Frame.DATA, request.stream());
        assertEquals("123", first.text());
        client.send("456");
        String rest = "";
        boolean end = first.isEnd();
        while (!end) {
            Frame data = peer.expect(Frame.DATA, request.stream());
            rest += data.text();
            end = data.isEnd();
        }

        assertEquals("456", rest);
        Answers3.requireAnswered(peer, request.stream(), "done", client);
        scene.requireNext(client);
    }

    @Test
    void streamedBodyOfUnknownLengthHasNone(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("stream=1");
        RawHttp client = scene.client();
        client.send(client.head("POST", scene.path("/x"), "Transfer-Encoding: chunked"));
        client.send("3\r\nabc\r\n");

        StreamedRequest request = peer.request("/x");
        assertFalse(request.frame().has("CONTENT_LENGTH"));
        client.send("3\r\ndef\r\n0\r\n\r\n");

        assertEquals("abcdef", Bytes.text(peer.body(request)));
        Answers3.requireAnswered(peer, request.stream(), "done", client);
        scene.requireNext(client);
    }

    @Test
    void streamingPeerGetsAnUploadThatIsLongerThanItsWindow(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("stream=1", "window=10000");
        RawHttp client = scene.client();
        byte[] body = Bytes.random(3_000_000, 6);
        var sending =
                scene.meanwhile(
                        () -> {
                            client.post(scene.path("/x"), body);
                            return true;
                        });

        StreamedRequest request = peer.request("/x");
        assertArrayEquals(body, peer.body(request));
        peer.text(request.stream(), "done");

        assertTrue(sending.get());
        assertEquals("done", client.answer().text());
    }

    @Test
    void clientLostInItsUploadIsToldToAStreamingPeer(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("stream=1");
        RawHttp client = scene.client();
        client.send(client.head("POST", scene.path("/x"), "Content-Length: 1000") + "begin");
        int stream = peer.request("/x").stream();

        client.wire().reset();

        Frame frame = peer.lastOfBody();
        assertEquals(Frame.CANCEL, frame.type(), frame.toString());
        peer.endSlot(stream);
        peer.requireAlive();
    }

    @Test
    void uploadThatPassesItsLimitIsCancelledAtTheStreamingPeer(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("stream=1", "window=4294967295");
        RawHttp client = scene.client();
        // The container calls nobody before the first chunk.
        client.send(client.head("POST", scene.path("/x"), "Transfer-Encoding: chunked"));
        client.send("5\r\nbegin\r\n");
        int stream = peer.request("/x").stream();
        String chunk = "10000\r\n" + "x".repeat(65_536) + "\r\n";
        var sending =
                scene.meanwhile(
                        () -> {
                            for (int i = 0; i < 66; i++) {
                                client.send(chunk);
                            }
                            return true;
                        });

        Frame frame = peer.lastOfBody();

        assertEquals(Frame.CANCEL, frame.type(), frame.toString());
        peer.endSlot(stream);
        assertEquals(413, client.answer().status());
        sending.cancel(true);
    }

    @Test
    void earlyAnswerToAStreamedUploadReachesTheClient(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("stream=1");
        RawHttp client = scene.client();
        client.send(client.head("POST", scene.path("/early"), "Content-Length: 1000") + "begin");
        int stream = peer.request("/early").stream();

        Answers3.requireAnswered(peer, stream, "enough", client);
        Frame frame = peer.lastOfBody();
        assertEquals(Frame.CANCEL, frame.type());
        RawHttp next = scene.get("/next");
        StreamedRequest request = peer.request("/next");
        assertEquals(stream, request.stream());
        Answers3.requireAnswered(peer, stream, "next", next);
    }

    @Test
    void requestThatFindsNoFreeSlotOfAStreamingPeerStillArrivesWhole(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("stream=1");
        RawHttp busy = scene.get("/busy");
        int stream = peer.request("/busy").stream();
        RawHttp waits = scene.client();
        waits.send(waits.head("POST", scene.path("/waits"), "Content-Length: 6") + "123");
        Wait.pass(WHILE);
        peer.text(stream, "busy");
        waits.send("456");

        StreamedRequest request = peer.request("/waits");
        assertEquals("123456", Bytes.text(peer.body(request)));
        peer.text(request.stream(), "waits");
        assertEquals("busy", busy.answer().text());
        assertEquals("waits", waits.answer().text());
    }
}
