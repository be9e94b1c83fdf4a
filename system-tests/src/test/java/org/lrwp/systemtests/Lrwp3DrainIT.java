package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;

import java.time.Duration;

/** Peers that leave without losing a request: docs/protocol.md section 15.10. */
@SystemTest
@ServerConfig
class Lrwp3DrainIT {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final byte[] BODY = Bytes.of("body");

    @Test
    void idlePeerThatDrainsIsClosedAtOnce(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();

        peer.drain();

        assertEquals(End.FIN, peer.end(SOON));
        scene.awaitPeers(0);
    }

    @Test
    void peerThatDrainsAnswersWhatItHasAndGetsNothingNew(Scene scene) throws Exception {
        FramePeer leaves = scene.framePeer("capacity=3");
        RawHttp one = scene.get("/1");
        leaves.request("/1");
        RawHttp two = scene.post("/2", BODY);
        leaves.request("/2");
        leaves.drain();
        leaves.requireAlive();
        FramePeer stays = scene.framePeer();

        RawHttp three = scene.get("/3");
        Answers3.requireServed(stays, "/3", "3", three);
        assertTrue(leaves.isSilent(Duration.ofMillis(200)));
        Answers3.requireAnswered(leaves, 2, "2", two);
        assertTrue(leaves.isSilent(Duration.ofMillis(200)));
        Answers3.requireAnswered(leaves, 1, "1", one);
        assertEquals(End.FIN, leaves.end(SOON));
    }

    @Test
    void noRequestFailsWhenTheOnlyPeerIsReplaced(Scene scene) throws Exception {
        FramePeer old = scene.framePeer();
        RawHttp first = scene.post("/first", BODY);
        int stream = old.request("/first").stream();
        old.drain();
        old.requireAlive();
        RawHttp second = scene.post("/second", BODY);
        scene.awaitWaiting(1);

        FramePeer fresh = scene.dialFrames().open(scene.app());

        Answers3.requireServed(fresh, "/second", "second", second);
        Answers3.requireAnswered(old, stream, "first", first);
        assertEquals(End.FIN, old.end(SOON));
    }

    @Test
    void waitingRequestsStayInLineWhenTheirPeerDrains(Scene scene) throws Exception {
        FramePeer old = scene.framePeer();
        RawHttp first = scene.post("/first", BODY);
        int stream = old.request("/first").stream();
        RawHttp second = scene.post("/second", BODY);
        scene.awaitWaiting(1);

        old.send(Frame.of(Frame.DRAIN, 0), FramePeer.response(stream, "first").ending());

        assertEquals("first", first.answer().text());
        assertEquals(End.FIN, old.end(SOON));
        FramePeer fresh = scene.dialFrames().open(scene.app());
        Answers3.requireServed(fresh, "/second", "second", second);
    }

    @Test
    void streamedAnswerOfAPeerThatDrainsGoesOnToItsEnd(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();
        peer.begin(stream, "Content-Type: text/plain\n\none");
        peer.drain();

        peer.data(stream, " two");
        peer.requireAlive();
        peer.data(stream, " three");
        peer.endData(stream);

        assertEquals("one two three", client.answer().text());
        assertEquals(End.FIN, peer.end(SOON));
    }

    @Test
    void secondDrainChangesNothing(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer();
        RawHttp client = scene.get("/x");
        int stream = peer.request("/x").stream();

        peer.drain();
        peer.drain();
        Answers3.requireAnswered(peer, stream, "done", client);
        assertEquals(End.FIN, peer.end(SOON));
    }

    @Test
    void peerMayLeaveByItsFinAloneAndNoRequestFails(Scene scene) throws Exception {
        FramePeer old = scene.framePeer("started=1", "capacity=5");
        RawHttp[] clients = new RawHttp[5];
        for (int i = 0; i < 5; i++) {
            clients[i] = scene.client();
            clients[i].post(scene.path("/" + i), BODY);
        }
        old.awaitBytes();
        FramePeer fresh = scene.framePeer("capacity=5");

        old.finish();

        for (int i = 0; i < 5; i++) {
            var request = fresh.request();
            fresh.text(request.stream(), request.path());
        }
        for (int i = 0; i < 5; i++) {
            assertEquals("/" + i, clients[i].answer().text());
        }
    }
}
