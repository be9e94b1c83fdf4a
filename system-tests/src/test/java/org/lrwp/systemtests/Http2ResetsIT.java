package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.Http2Client;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.testkit.wire.StreamedRequest;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Clients of HTTP/2 that take their requests back. */
@SystemTest
@ServerConfig(http2 = true)
class Http2ResetsIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int MANY = 2000;
    private static final int MOST_FOR_PEERS = 100;
    private static final int ENHANCE_YOUR_CALM = 11;

    private static Http2Client client(Scene scene) throws IOException {
        return scene.closing(Http2Client.to(scene.proxy().httpPort()));
    }

    private static void awaitNothingInFlight(Scene scene, Duration within) throws Exception {
        Wait.require("it is over", within, () -> scene.proxy().status().inFlight() == 0);
    }

    @Test
    void clientThatResetsStreamsInMassesIsCut(Scene scene) throws Exception {
        List<ServingPeer> peers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            peers.add(scene.echo());
        }
        scene.awaitPeers(8);
        Http2Client client = client(scene);
        Future<Boolean> sent = scene.meanwhile(() -> resetMany(client, scene.path("/x")));

        Http2Client.Received last = client.await(Http2Client.GOAWAY);

        assertEquals(ENHANCE_YOUR_CALM, last.errorCode());
        sent.get(SOON.toSeconds(), TimeUnit.SECONDS);
        awaitNothingInFlight(scene, SOON);
        int seen = peers.stream().mapToInt(peer -> peer.seen().size()).sum();
        assertTrue(seen <= MOST_FOR_PEERS, seen + " have reached a peer");
        assertTrue(scene.proxy().output().contains("http2-resets"), "nothing in the log");
        scene.requireNext(scene.client());
    }

    /** Says whether all could be sent: whoever is cut cannot. */
    private static boolean resetMany(Http2Client client, String path) {
        try {
            for (int i = 0; i < MANY; i++) {
                int stream = 2 * i + 1;
                client.send(Http2Client.get(stream, path), Http2Client.reset(stream));
            }
            return true;
        } catch (IOException cut) {
            return false;
        }
    }

    @Test
    void streamThatIsResetEndsItsExchangeAtOnce(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=4");
        Http2Client client = client(scene);
        client.send(Http2Client.get(1, scene.path("/first")));
        client.send(Http2Client.get(3, scene.path("/second")));
        StreamedRequest one = peer.request();
        StreamedRequest other = peer.request();
        StreamedRequest first = one.path().endsWith("/first") ? one : other;
        StreamedRequest second = one.path().endsWith("/first") ? other : one;

        client.send(Http2Client.reset(1));

        peer.expect(Frame.CANCEL, first.stream());
        peer.endSlot(first.stream());
        assertEquals(1, scene.proxy().status().inFlight());
        peer.text(second.stream(), "of the other");
        assertEquals(3, client.await(Http2Client.HEADERS).stream());
        awaitNothingInFlight(scene, SOON);
        assertTrue(scene.proxy().output().contains("client-gone"), "nothing in the log");
    }

    @Test
    void streamWhoseAnswerBreaksOffIsReset(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=4");
        Http2Client client = client(scene);
        client.send(Http2Client.get(1, scene.path("/broken-off")));
        StreamedRequest request = peer.request();
        peer.begin(request.stream(), "Content-Type: text/plain\n\nhalf of it");
        assertEquals(1, client.await(Http2Client.HEADERS).stream());

        peer.cancel(request.stream(), "given up");

        assertEquals(1, client.await(Http2Client.RST_STREAM).stream());
        client.send(Http2Client.get(3, scene.path("/next")));
        peer.text(peer.request().stream(), "the connection goes on");
        assertEquals(3, client.await(Http2Client.HEADERS).stream());
    }

    @Test
    void closedConnectionEndsItsStreams(Scene scene) throws Exception {
        FramePeer peer = scene.framePeer("capacity=4");
        Http2Client client = client(scene);
        client.send(Http2Client.get(1, scene.path("/first")));
        client.send(Http2Client.get(3, scene.path("/second")));
        StreamedRequest one = peer.request();
        StreamedRequest other = peer.request();

        client.close();

        Frame cancel = peer.frame();
        assertEquals(Frame.CANCEL, cancel.type());
        assertEquals(Frame.CANCEL, peer.frame().type());
        peer.endSlot(one.stream());
        peer.endSlot(other.stream());
        awaitNothingInFlight(scene, SOON);
    }
}
