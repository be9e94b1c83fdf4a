package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
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
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** Peers that are lost while they have a request. */
@SystemTest
@ServerConfig
class PeerLossIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration RESPONSE_TIME = Duration.ofSeconds(4);
    private static final byte[] LARGE = Bytes.random(3_500_000, 7);

    /** The ways in which a connection ends. */
    enum Loss {
        /** In order. */
        FIN {
            @Override
            void happen(ScriptedPeer peer) throws IOException {
                peer.close();
            }
        },
        /** Not in order. */
        RESET {
            @Override
            void happen(ScriptedPeer peer) throws IOException {
                peer.reset();
            }
        };

        abstract void happen(ScriptedPeer peer) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void idempotentRequestGoesToAnotherPeerOnce(Loss loss, Scene scene) throws Exception {
        ScriptedPeer first = scene.peer();
        RawHttp client = scene.client();
        client.send("PUT", scene.path("/again"), Bytes.of("body"));
        first.request();
        ScriptedPeer second = scene.peer();
        loss.happen(first);

        RequestFrame request = second.request();
        second.text("second");

        assertEquals("body", request.text());
        assertEquals("/again", request.env("PATH_INFO"));
        assertEquals("second", client.answer().text());
        scene.requireNext(client);
    }

    @ParameterizedTest
    @EnumSource
    void idempotentRequestIsStartedAtMostTwice(Loss loss, Scene scene) throws Exception {
        ScriptedPeer first = scene.peer();
        RawHttp client = scene.get("/again");
        first.request();
        ScriptedPeer second = scene.peer();
        ScriptedPeer third = scene.peer();
        loss.happen(first);
        ScriptedPeer taken = whoeverGets(second, third);
        loss.happen(taken);

        Answers.requireError(502, "peer-gone", client.answer());
        ScriptedPeer spared = taken == second ? third : second;
        assertEquals(End.OPEN, spared.end(Duration.ofMillis(200)));
        scene.requireNext(client);
    }

    private static ScriptedPeer whoeverGets(ScriptedPeer one, ScriptedPeer other) throws Exception {
        Wait.require(
                "one of them gets the request",
                SOON,
                () -> one.wire().hasBytes() || other.wire().hasBytes());
        ScriptedPeer taken = one.wire().hasBytes() ? one : other;
        taken.request();
        return taken;
    }

    @ParameterizedTest
    @EnumSource
    void requestThatMayNotBeRepeatedFails(Loss loss, Scene scene) throws Exception {
        ScriptedPeer first = scene.peer();
        RawHttp client = scene.post("/once", Bytes.of("body"));
        first.request();
        ScriptedPeer second = scene.peer();
        loss.happen(first);

        Answers.requireError(502, "peer-gone", client.answer());
        assertEquals(End.OPEN, second.end(Duration.ofMillis(200)));
        scene.requireNext(client);
    }

    @Test
    void repeatableRequestWithoutAnotherPeerWaitsForOne(Scene scene) throws Exception {
        ScriptedPeer first = scene.peer();
        RawHttp client = scene.get("/again");
        first.request();
        first.reset();
        scene.awaitWaiting(1);

        scene.echo();

        Answers.requireEcho("GET", "/again", "", client.answer());
        scene.requireNext(client);
    }

    @Test
    void repeatableRequestWithoutAnotherPeerIsRefusedAtItsDeadline(Scene scene) throws Exception {
        ScriptedPeer first = scene.peer();
        RawHttp client = scene.get("/again");
        first.request();
        first.reset();

        assertEquals(503, client.answer().status());
        scene.requireNext(client);
    }

    @Test
    void repeatedRequestComesBeforeThoseThatWait(Scene scene) throws Exception {
        ScriptedPeer first = scene.peer();
        RawHttp moved = scene.get("/moved");
        first.request();
        RawHttp waits = scene.get("/waits");
        scene.awaitWaiting(1);
        first.reset();
        scene.awaitWaiting(2);

        ScriptedPeer second = scene.peer();

        assertEquals("/moved", second.request().env("PATH_INFO"));
        second.text("moved");
        assertEquals("/waits", second.request().env("PATH_INFO"));
        second.text("waits");
        assertEquals("moved", moved.answer().text());
        assertEquals("waits", waits.answer().text());
    }

    @ParameterizedTest
    @EnumSource
    void answerThatHasBegunIsCutVisibly(Loss loss, Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        ScriptedPeer spared = scene.peer();
        RawHttp client = scene.get("/cut");
        ScriptedPeer taken = whoeverGets(peer, spared);
        taken.wire().send("000100000Content-Type: text/plain\r\n\r\n" + "x".repeat(1000));
        String status = client.line();
        loss.happen(taken);

        assertTrue(status.startsWith("HTTP/1.1 200"), status);
        assertThrows(IOException.class, () -> readWholeAnswer(client));
        assertEquals(End.OPEN, (taken == peer ? spared : peer).end(Duration.ofMillis(200)));
        scene.requireNext(scene.client());
    }

    /** Reads what the head promises; the status line is already read. */
    private static void readWholeAnswer(RawHttp client) throws IOException {
        int length = -1;
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
        }
        client.wire().read(length < 0 ? Integer.MAX_VALUE : length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "00001", "000000030", "000000030Content-Type: text/"})
    void answerThatNeverBecomesVisibleIsNoAnswer(String begin, Scene scene) throws Exception {
        ScriptedPeer first = scene.peer();
        RawHttp client = scene.post("/once", Bytes.of("body"));
        first.request();
        first.wire().send(begin);
        first.close();

        Answers.requireError(502, "peer-gone", client.answer());
        scene.requireNext(client);
    }

    @Test
    void peerThatTakesNoByteOfARequestThatMayNotBeRepeatedFailsIt(Scene scene) throws Exception {
        ScriptedPeer stalled =
                scene.closing(ScriptedPeer.dialSmall(scene.proxy().lrwpPort()))
                        .register(scene.app());
        RawHttp client = scene.post("/stalled", LARGE);
        HttpAnswer answer = client.answer();

        Answers.requireError(502, "peer-stalled", answer);
        assertTrue(isClosed(stalled), "the stalled peer is still connected");
        scene.requireNext(client);
    }

    @Test
    void peerThatTakesNoByteOfARepeatableRequestLosesItToAnother(Scene scene) throws Exception {
        ScriptedPeer stalled =
                scene.closing(ScriptedPeer.dialSmall(scene.proxy().lrwpPort()))
                        .register(scene.app());
        RawHttp client = scene.client();
        client.send("PUT", scene.path("/moves"), LARGE);
        stalled.wire().read(9);

        scene.echo();

        Answers.requireEcho("PUT", "/moves", Bytes.text(LARGE), client.answer());
        assertTrue(isClosed(stalled), "the stalled peer is still connected");
        scene.requireNext(client);
    }

    private static boolean isClosed(ScriptedPeer peer) throws IOException {
        peer.wire().patience(SOON);
        try {
            peer.wire().readAll();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    @Test
    void peerThatSaysNothingForTheResponseTimeTimesOut(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.client();
        long begin = System.nanoTime();
        client.request("GET", scene.path("/silent"));
        peer.request();

        HttpAnswer answer = client.answer();

        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        Answers.requireError(504, "peer-timeout", answer);
        assertTrue(took.compareTo(RESPONSE_TIME) >= 0, took + " is too early");
        assertTrue(took.compareTo(RESPONSE_TIME.plusSeconds(3)) < 0, took + " is too late");
        assertTrue(peer.end(SOON) != End.OPEN, "the silent peer is still connected");
        scene.requireNext(client);
    }

    @Test
    void peerThatGivesASignOfLifeNowAndThenIsNotTimedOut(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp client = scene.get("/slow");
        peer.request();
        String output = "Content-Type: text/plain\r\n\r\nslow";
        String frame = "%09d".formatted(output.length()) + output;
        for (String part : new String[] {frame.substring(0, 4), frame.substring(4, 12)}) {
            peer.wire().send(part);
            Wait.pass(RESPONSE_TIME.multipliedBy(2).dividedBy(3));
        }
        peer.wire().send(frame.substring(12));

        assertEquals("slow", client.answer().text());
        scene.requireNext(client);
    }
}
