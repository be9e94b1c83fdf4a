package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.io.IOException;
import java.time.Duration;

/** What becomes of the requests of a peer that is lost: docs/protocol.md section 15.5. */
@SystemTest
@ServerConfig
class Lrwp3StartedIT {
    private static final Duration WHILE = Duration.ofMillis(200);
    private static final byte[] BODY = Bytes.of("body");

    /** Ends after which nobody can know what was started. */
    enum Loss {
        /** The kernel's word for bytes that nobody read, and for a machine that is gone. */
        RESET {
            @Override
            void happen(FramePeer peer) throws IOException {
                peer.reset();
            }
        },
        /** In the middle of a head. */
        CUT_HEAD {
            @Override
            void happen(FramePeer peer) throws IOException {
                peer.wire().send(new byte[] {0, 0, 0});
                peer.wire().halfClose();
            }
        },
        /** In the middle of a payload. */
        CUT_PAYLOAD {
            @Override
            void happen(FramePeer peer) throws IOException {
                peer.wire().send(new byte[] {0, 0, 0, 8, Frame.PING, 0, 0, 0, 0, 0, 0, 0, 1});
                peer.wire().halfClose();
            }
        },
        /** The peer says that the proxy has broken a rule. */
        ERROR {
            @Override
            void happen(FramePeer peer) throws IOException {
                peer.send(Frame.of(Frame.ERROR, 0, "a rule"));
                peer.wire().halfClose();
            }
        },
        /** The peer breaks one. */
        BROKEN_RULE {
            @Override
            void happen(FramePeer peer) throws IOException {
                peer.send(Frame.of(Frame.WINDOW, 0, "x"));
            }
        };

        abstract void happen(FramePeer peer) throws IOException;
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH", "PUT", "DELETE"})
    void requestThatSurelyWasNotStartedGoesElsewhereWhateverItsMethod(String method, Scene scene)
            throws Exception {
        FramePeer first = scene.framePeer("started=1");
        RawHttp client = scene.client();
        client.send(method, scene.path("/moves"), BODY);
        first.request("/moves");
        FramePeer second = scene.framePeer("started=1");

        first.finish();

        StreamedRequest request = second.request("/moves");
        assertEquals(method, request.env("REQUEST_METHOD"));
        assertEquals("4", request.env("CONTENT_LENGTH"));
        assertArrayEquals(BODY, second.body(request));
        Answers3.requireAnswered(second, request.stream(), "second", client);
        scene.requireNext(client);
    }

    @Test
    void requestOnlyPartlySentGoesElsewhereWhole(Scene scene) throws Exception {
        FramePeer first = scene.framePeer("started=1", "window=1000");
        byte[] body = Bytes.random(200_000, 1);
        RawHttp client = scene.post("/moves", body);
        StreamedRequest part = first.request("/moves");
        first.window(part.stream(), 50_000);
        first.expect(Frame.DATA, part.stream());
        FramePeer second = scene.framePeer("window=4294967295");

        first.finish();

        StreamedRequest request = second.request("/moves");
        assertEquals("200000", request.env("CONTENT_LENGTH"));
        assertArrayEquals(body, second.body(request));
        Answers3.requireAnswered(second, request.stream(), "second", client);
    }

    @Test
    void eachStreamOfALostConnectionIsJudgedAlone(Scene scene) throws Exception {
        FramePeer first = scene.framePeer("started=1", "capacity=3");
        RawHttp started = scene.post("/started", BODY);
        int one = first.request("/started").stream();
        RawHttp spared = scene.post("/spared", BODY);
        first.request("/spared");
        RawHttp again = scene.get("/again");
        int three = first.request("/again").stream();
        FramePeer second = scene.framePeer("capacity=3");

        first.send(Frame.of(Frame.STARTED, one), Frame.of(Frame.STARTED, three));
        first.finish();

        Answers.requireError(502, "peer-gone", started.answer());
        StreamedRequest a = second.request();
        StreamedRequest b = second.request();
        second.text(a.stream(), a.path());
        second.text(b.stream(), b.path());
        assertEquals("/spared", spared.answer().text());
        assertEquals("/again", again.answer().text());
        assertTrue(second.isSilent(WHILE));
    }

    @ParameterizedTest
    @CsvSource({"POST, started=1, true", "POST, started=0, false", "PATCH, started=0, true"})
    void startedRequestThatMayNotBeRepeatedFails(
            String method, String setting, boolean sayStarted, Scene scene) throws Exception {
        FramePeer first = scene.framePeer(setting);
        RawHttp client = scene.client();
        client.send(method, scene.path("/once"), BODY);
        int stream = first.request("/once").stream();
        FramePeer second = scene.framePeer();

        if (sayStarted) {
            first.started(stream);
        }
        first.finish();

        Answers.requireError(502, "peer-gone", client.answer());
        assertTrue(second.isSilent(WHILE));
        scene.requireNext(client);
    }

    @ParameterizedTest
    @EnumSource
    void lossThatIsNotInOrderCountsAsStarted(Loss loss, Scene scene) throws Exception {
        FramePeer first = scene.framePeer("started=1", "capacity=2");
        RawHttp post = scene.post("/once", BODY);
        first.request("/once");
        RawHttp get = scene.get("/again");
        first.request("/again");
        FramePeer second = scene.framePeer();

        loss.happen(first);

        Answers.requireError(502, "peer-gone", post.answer());
        Answers3.requireServed(second, "/again", "again", get);
        assertTrue(second.isSilent(WHILE));
    }

    @Test
    void peerThatDiesWithUnreadRequestsIsNoEndInOrder(Scene scene) throws Exception {
        FramePeer first = scene.framePeer("started=1");
        RawHttp client = scene.post("/once", BODY);
        first.awaitBytes();

        // As the kernel does behind kill -9, when bytes are unread.
        first.reset();

        Answers.requireError(502, "peer-gone", client.answer());
        scene.requireNext(client);
    }

    @Test
    void answerThatHasBegunIsCut(Scene scene) throws Exception {
        FramePeer first = scene.framePeer("started=1");
        RawHttp client = scene.get("/begun");
        int stream = first.request("/begun").stream();
        first.begin(stream, "Content-Type: text/plain\n\nbegin");
        assertTrue(client.line().startsWith("HTTP/1.1 200"));
        FramePeer second = scene.framePeer();

        first.finish();

        Answers3.requireCut(client);
        assertTrue(second.isSilent(WHILE));
    }

    @Test
    void idempotentRequestIsStartedAtMostTwiceOverAllVersions(Scene scene) throws Exception {
        FramePeer first = scene.framePeer("started=1");
        RawHttp client = scene.get("/again");
        int stream = first.request("/again").stream();
        ScriptedPeer second = scene.peer();
        first.started(stream);
        first.finish();
        second.request();
        FramePeer third = scene.framePeer("started=1");

        second.reset();

        Answers.requireError(502, "peer-gone", client.answer());
        assertTrue(third.isSilent(WHILE));
    }

    @Test
    void requestThatWasNeverStartedMovesFiveTimes(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("started=1");
        RawHttp client = scene.post("/moves", BODY);
        for (int i = 0; i < 6; i++) {
            peer.request("/moves");
            FramePeer next = scene.framePeer("started=1");
            peer.finish();
            peer = next;
        }

        Answers.requireError(503, "moved-too-often", client.answer());
        assertTrue(peer.isSilent(WHILE));
        scene.requireNext(client);
    }

    @Test
    void requestThatMovesComesBeforeThoseThatWait(Scene scene) throws Exception {
        FramePeer first = scene.framePeer("started=1");
        RawHttp moved = scene.post("/moved", BODY);
        first.request("/moved");
        RawHttp waits = scene.get("/waits");
        scene.awaitWaiting(1);

        first.finish();
        scene.awaitWaiting(2);
        FramePeer second = scene.dialFrames().open(scene.app());

        second.text(second.request("/moved").stream(), "moved");
        second.text(second.request("/waits").stream(), "waits");
        assertEquals("moved", moved.answer().text());
        assertEquals("waits", waits.answer().text());
    }

    @Test
    void requestThatMovesKeepsItsDeadline(Scene scene) throws Exception {
        FramePeer first = scene.framePeer("started=1");
        RawHttp client = scene.client();
        long begin = System.nanoTime();
        client.post(scene.path("/moves"), BODY);
        first.request("/moves");
        assertTrue(first.isSilent(Duration.ofSeconds(2)));

        first.finish();

        assertEquals(503, client.answer().status());
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        assertTrue(took.toMillis() < 4_500, took + " is more than the queue time");
    }

    @Test
    void requestThatWaitedInTheProxyGoesElsewhere(Scene scene) throws Exception {
        FramePeer first = scene.framePeer("started=0");
        RawHttp busy = scene.post("/busy", BODY);
        first.request("/busy");
        RawHttp waits = scene.post("/waits", BODY);
        scene.awaitWaiting(1);

        first.reset();

        FramePeer second = scene.dialFrames().open(scene.app());
        Answers3.requireServed(second, "/waits", "waits", waits);
        Answers.requireError(502, "peer-gone", busy.answer());
    }

    @Test
    void whatThePeerSaidBeforeItLeftHasArrived(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("started=1", "capacity=2");
        RawHttp one = scene.post("/1", BODY);
        int stream = peer.request("/1").stream();

        peer.send(Frame.of(Frame.STARTED, stream), FramePeer.response(stream, "done").ending());
        peer.wire().halfClose();

        assertEquals("done", one.answer().text());
        assertEquals(End.FIN, peer.end(Duration.ofSeconds(5)));
    }
}
