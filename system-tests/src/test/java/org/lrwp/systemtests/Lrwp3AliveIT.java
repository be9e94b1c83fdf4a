package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Signs of life, both ways: docs/protocol.md section 15.9. */
@SystemTest
@ServerConfig
class Lrwp3AliveIT {
    private static long seconds(FramePeer peer) {
        return Long.parseLong(peer.proxySetting("ping"));
    }

    @Test
    void everyPingIsAnsweredWithItsBytes(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("ping=0");

        peer.ping("\0\u00ff234567");
        peer.ping("abcdefgh");

        assertEquals("\0\u00ff234567", peer.expect(Frame.PONG, 0).text());
        assertEquals("abcdefgh", peer.expect(Frame.PONG, 0).text());
    }

    @Test
    void pongComesBehindWhatTheFramesBeforeItsPingHaveDone(Scene scene) throws Exception {
        FramePeer peer = scene.dialFrames().open("");

        for (int i = 0; i < 20; i++) {
            peer.send(
                    Frame.of(Frame.REGISTER, 0, scene.app() + "\u00ff\u00ff"),
                    Frame.of(Frame.PING, 0, "12345678"));
            Frame one = peer.frame();
            Frame two = peer.frame();
            assertTrue(one.type() == Frame.PONG || two.type() == Frame.PONG);
            // By now the context is known, whatever the order of the two answers was.
            RawHttp client = scene.get("/x");
            Answers3.requireServed(peer, "/x", "served", client);
            assertEquals("", peer.unregister(scene.app(), ""));
        }
    }

    @Test
    void silentPeerThatPromisedToAnswerIsAskedAndStaysWhenItDoes(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("ping=1");
        long ping = seconds(peer);

        for (int i = 0; i < 3; i++) {
            long begin = System.nanoTime();
            Frame asked = peer.expect(Frame.PING, 0);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            assertEquals(8, asked.payload().length);
            assertTrue(millis > ping * 1_000 - 300, millis + " ms is too early");
            assertTrue(millis < ping * 1_000 + 1_500, millis + " ms is too late");
            peer.send(Frame.of(Frame.PONG, 0, asked.payload()));
        }
        peer.requireAlive();
    }

    @Test
    void peerThatSaysSomethingIsNotAsked(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("ping=1");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2 * seconds(peer) + 1);

        while (System.nanoTime() < end) {
            // Nothing but the answer to our own question comes.
            peer.requireAlive();
            assertTrue(peer.isSilent(Duration.ofMillis(200)));
        }
    }

    @Test
    void peerBehindABlackHoleIsFoundAndItsRequestGoesElsewhere(Scene scene) throws Exception {
        FramePeer hole = scene.framePeer("ping=1", "capacity=2");
        long ping = seconds(hole);
        RawHttp get = scene.client();
        String path = "/patient/" + scene.app();
        assertEquals("", hole.register("patient", ""));
        get.request("GET", path);
        hole.request();
        RawHttp post = scene.client();
        post.post(path, Bytes.of("body"));
        hole.request();
        long begin = System.nanoTime();
        FramePeer other = scene.dialFrames().open("patient");

        // Nothing is said any more, and nothing read.
        other.text(other.request().stream(), "other");

        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        assertEquals("other", get.answer().text());
        Answers.requireError(502, "peer-gone", post.answer());
        assertTrue(millis > 2_000 * ping - 500, millis + " ms is too early");
        assertTrue(millis < 2_000 * ping + 3_000, millis + " ms is too late");
    }

    @Test
    void peerThatPromisedNothingIsNeitherAskedNorDropped(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("ping=0");

        assertTrue(peer.isSilent(Duration.ofSeconds(2 * seconds(peer) + 1)));
        peer.requireAlive();
    }

    @Test
    void pongThatNobodyAskedForIsNoFault(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("ping=0");

        peer.send(Frame.of(Frame.PONG, 0, "12345678"));

        peer.requireAlive();
    }
}
