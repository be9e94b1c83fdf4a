package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.ProcessPeer.Kind;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Peers written as in the 1990s, as real processes. */
@SystemTest
@ServerConfig
class OldPeersIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    @ParameterizedTest
    @EnumSource
    void peerServesItsRequestsAndLeaves(Kind kind, Scene scene) throws Exception {
        kind.requireTool();
        int lifetime = kind == Kind.JAVA ? 3 : 5;
        ProcessPeer peer = scene.closing(ProcessPeer.start(kind, scene.proxy(), scene.app()));
        peer.awaitLine("registered");
        RawHttp client = scene.client();

        byte[] large = Bytes.random(300_000, 1);
        requirePeer(kind, "GET /a b x=1\n", client.get(scene.path("/a%20b?x=1")));
        client.post(scene.path("/form"), Bytes.of("a=1\0b"));
        requirePeer(kind, "POST /form \na=1\0b", client.answer());
        client.post(scene.path("/large"), large);
        requirePeer(kind, "POST /large \n" + Bytes.text(large), client.answer());
        for (int i = 3; i < lifetime; i++) {
            requirePeer(kind, "GET /" + i + " \n", client.get(scene.path("/" + i)));
        }

        assertEquals(0, peer.exit(SOON));
        scene.requireNext(client);
    }

    private static void requirePeer(Kind kind, String body, HttpAnswer answer) {
        assertEquals(200, answer.status(), answer.toString());
        assertEquals(Optional.of(kind.label()), answer.value("X-Peer"));
        assertEquals(body, answer.text());
    }

    @Test
    void peerThatIsSlowToReadItsAcknowledgementSeesItAlone(Scene scene) throws Exception {
        Kind.C.requireTool();
        RawHttp client = scene.client();
        scene.peer().close();
        scene.awaitPeers(0);
        client.request("GET", scene.path("/waits"));
        scene.awaitWaiting(1);

        ProcessPeer peer =
                scene.closing(
                        ProcessPeer.start(Kind.C, scene.proxy(), scene.app(), "--pause-ms", "30"));

        peer.awaitLine("registered");
        requirePeer(Kind.C, "GET /waits \n", client.answer());
    }

    @Test
    void clientsNeverSeeThatPeersComeAndGo(Scene scene) throws Exception {
        Kind.C.requireTool();
        AtomicBoolean over = new AtomicBoolean();
        Future<Integer> peers = scene.meanwhile(() -> respawn(scene, over));
        Future<Integer> more = scene.meanwhile(() -> respawn(scene, over));
        scene.awaitPeers(2);
        RawHttp client = scene.client();

        try {
            for (int i = 0; i < 200; i++) {
                if (i % 2 == 0) {
                    client.request("GET", scene.path("/" + i));
                } else {
                    client.post(scene.path("/" + i), Bytes.of("body"));
                }
                HttpAnswer answer = client.answer();
                assertEquals(200, answer.status(), "request " + i + ": " + answer);
                assertTrue(answer.text().contains("/" + i + " \n"), answer.toString());
            }
        } finally {
            over.set(true);
        }
        assertTrue(peers.get() + more.get() >= 40);
    }

    private static int respawn(Scene scene, AtomicBoolean over) throws Exception {
        int count = 0;
        while (!over.get()) {
            try (ProcessPeer peer = ProcessPeer.start(Kind.C, scene.proxy(), scene.app())) {
                while (peer.isRunning() && !over.get()) {
                    Wait.pass(Duration.ofMillis(2));
                }
            }
            count++;
        }
        return count;
    }
}
