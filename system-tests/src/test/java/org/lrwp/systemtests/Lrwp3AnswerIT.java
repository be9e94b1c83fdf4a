package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** Answers that fail, and that do not: docs/protocol.md section 15.7. */
@SystemTest
@ServerConfig
class Lrwp3AnswerIT {
    private static final String HEAD = "Content-Type: text/plain\n\n";

    /** The connection, its slot and the client go on. */
    private static void requireNext(FramePeer peer, int stream, RawHttp client, Scene scene)
            throws Exception {
        RawHttp next = client.isToldToClose() ? scene.client() : client;
        next.request("GET", scene.path("/next"));
        assertEquals(stream, peer.request("/next").stream());
        Answers3.requireAnswered(peer, stream, "next", next);
        peer.requireAlive();
    }

    @Test
    void peerThatGivesUpBeforeItsAnswerIsABadGateway(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        peer.cancel(stream, "no database\u00e9\n");

        Answers.requireError(502, "peer-cancelled", client.answer());
        requireNext(peer, stream, client, scene);
    }

    @Test
    void peerThatGivesUpIsNotAskedTwice(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();
        FramePeer other = scene.framePeer();

        peer.cancel(stream, "");

        Answers.requireError(502, "peer-cancelled", client.answer());
        assertTrue(other.isSilent(Duration.ofMillis(200)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Content-Length: 100\n"})
    void peerThatGivesUpInItsAnswerCutsTheClient(String field, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();
        peer.begin(stream, field + HEAD + "begin");
        assertTrue(client.line().startsWith("HTTP/1.1 200"));

        peer.cancel(stream, "failed");

        Answers3.requireCut(client);
        requireNext(peer, stream, scene.client(), scene);
    }

    static Stream<String> brokenHeads() {
        return Stream.of(
                "",
                "no head at all",
                "<html>no head at all</html>",
                "Content-Type: text/plain\n",
                "Content-Type: text/plain\r\n",
                "no colon\n\nbody",
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nbody",
                "HTTP/nonsense\n\nbody",
                "Status: 100 Continue\n\n",
                "Status: 103 Early Hints\nLink: </a>\n\n",
                "Status: nonsense\n\n",
                "Content-Length: -1\n\n",
                "Content-Length: 1\nContent-Length: 2\n\nx",
                "X: " + "x".repeat(65_500) + "\n");
    }

    @ParameterizedTest
    @MethodSource("brokenHeads")
    void brokenHeadIsABadGatewayAndTheSlotIsCancelled(String output, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        peer.begin(stream, output);

        Answers.requireError(502, "broken-head", client.answer());
        peer.expect(Frame.CANCEL, stream);
        peer.data(stream, "crossing");
        peer.endData(stream);
        requireNext(peer, stream, client, scene);
    }

    @ParameterizedTest
    @MethodSource("brokenHeads")
    void brokenHeadWithItsEndNeedsNoCancel(String output, Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        peer.send(Frame.of(Frame.RESPONSE, stream, output).ending());

        Answers.requireError(502, "broken-head", client.answer());
        requireNext(peer, stream, client, scene);
    }

    @Test
    void fewerBytesThanAnnouncedCutTheClient(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();
        peer.begin(stream, "Content-Length: 10\n" + HEAD + "12345");
        assertTrue(client.line().startsWith("HTTP/1.1 200"));

        peer.endData(stream);

        Answers3.requireCut(client);
        requireNext(peer, stream, scene.client(), scene);
    }

    @Test
    void bytesBehindTheAnnouncedAreDroppedAndTheSlotIsCancelled(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        peer.begin(stream, "Content-Length: 5\n" + HEAD + "12345678");

        HttpAnswer answer = client.answer();
        assertEquals("12345", answer.text());
        assertEquals(Optional.of("5"), answer.value("Content-Length"));
        peer.expect(Frame.CANCEL, stream);
        peer.endData(stream);
        requireNext(peer, stream, client, scene);
    }

    @Test
    void bytesBehindTheAnnouncedWithTheEndNeedNoCancel(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        peer.send(
                Frame.of(Frame.RESPONSE, stream, "Content-Length: 5\n" + HEAD + "123"),
                Frame.of(Frame.DATA, stream, "4567").ending());

        assertEquals("12345", client.answer().text());
        requireNext(peer, stream, client, scene);
    }

    @ParameterizedTest
    @CsvSource({"HEAD, 200", "GET, 204", "GET, 304"})
    void lengthOfAnAnswerWithoutBodyIsNotCompared(String method, int status, Scene scene)
            throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.client();
        client.request(method, scene.path("/x"));
        int stream = peer.request("/x").stream();

        peer.send(
                Frame.of(
                                Frame.RESPONSE,
                                stream,
                                "Status: " + status + " X\nContent-Length: 1000\n\n")
                        .ending());

        HttpAnswer answer = method.equals("HEAD") ? client.answerToHead() : client.answer();
        assertEquals(status, answer.status());
        assertEquals(HttpAnswer.Framing.NONE, answer.framing());
        requireNext(peer, stream, client, scene);
    }

    @Test
    void peerThatIsSilentForTheResponseTimeIsCancelledAndStays(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=2");
        long begin = System.nanoTime();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        HttpAnswer answer = client.answer();

        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        Answers.requireError(504, "peer-timeout", answer);
        assertTrue(took.toMillis() >= 4_000, took + " is too early");
        assertTrue(took.toMillis() < 6_000, took + " is too late");
        peer.expect(Frame.CANCEL, stream);
        peer.endSlot(stream);
        // The client's next request must not overtake it on another connection.
        peer.requireAlive();
        requireNext(peer, stream, client, scene);
    }

    @Test
    void peerThatFallsSilentInItsAnswerCutsTheClient(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        peer.begin(stream, HEAD + "begin");

        assertTrue(client.line().startsWith("HTTP/1.1 200"));
        Answers3.requireCut(client);
        peer.expect(Frame.CANCEL, stream);
        peer.cancel(stream, "");
        requireNext(peer, stream, scene.client(), scene);
    }

    @Test
    void everyFrameOfAnAnswerIsASignOfLife(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        peer.begin(stream, HEAD);
        for (int i = 0; i < 3; i++) {
            Wait.pass(Duration.ofMillis(2_500));
            peer.data(stream, "" + i);
        }
        peer.endData(stream);

        assertEquals("012", client.answer().text());
    }

    @Test
    void signOfLifeOfTheConnectionIsNoneOfTheRequest(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("started=1");
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();
        peer.started(stream);
        Wait.pass(Duration.ofMillis(2_500));
        peer.requireAlive();
        peer.window(stream, 1);
        long begin = System.nanoTime();

        Answers.requireError(504, "peer-timeout", client.answer());

        assertTrue(System.nanoTime() - begin < 2_500_000_000L, "it was prolonged");
        peer.expect(Frame.CANCEL, stream);
        peer.endSlot(stream);
    }

    @Test
    void responseTimeBeginsWithTheLastByteOfTheRequest(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("stream=1");
        RawHttp client = scene.client();
        client.send(client.head("POST", scene.path("/x"), "Content-Length: 4") + "1");
        int stream = peer.request("/x").stream();
        for (int i = 2; i <= 4; i++) {
            Wait.pass(Duration.ofMillis(1_600));
            client.send("" + i);
        }

        Frame data = peer.expect(Frame.DATA, stream);
        while (!data.isEnd()) {
            data = peer.expect(Frame.DATA, stream);
        }
        Answers3.requireAnswered(peer, stream, "in time", client);
    }

    @Test
    void failedAnswersLeaveOtherStreamsAlone(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=3");
        RawHttp one = scene.get("/1");
        RawHttp two = scene.client();
        peer.request("/1");
        two.post(scene.path("/2"), Bytes.of("body"));
        peer.request("/2");
        peer.begin(1, HEAD + "a");

        peer.send(
                Frame.of(Frame.RESPONSE, 2, "broken").ending(),
                Frame.of(Frame.DATA, 1, "b").ending());

        assertEquals("ab", one.answer().text());
        Answers.requireError(502, "broken-head", two.answer());
        peer.requireAlive();
    }

    /** The answer to a HEAD of an event stream, whose peer gives it no end. */
    @ParameterizedTest
    @CsvSource({"HEAD, 200", "GET, 204", "GET, 304"})
    void answerWithoutBodyIsThereBeforeItsEnd(String method, int status, Scene scene)
            throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.client();
        client.request(method, scene.path("/x"));
        int stream = peer.request().stream();

        peer.begin(stream, "Status: " + status + "\nContent-Type: text/event-stream\n\n");

        assertEquals(status, client.answerToHead().status());
        peer.endData(stream);
        scene.requireNext(client);
    }
}
