package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;

import java.io.IOException;
import java.time.Duration;

/** Limits and ends of tunnels: docs/protocol.md section 15.12. */
@SystemTest
@ServerConfig("tunnels")
class TunnelsIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration BRIEFLY = Duration.ofMillis(200);
    private static final int SIGTERM = 143;
    private static final String SWITCHING = "Status: 101\nUpgrade: echo\n\n";

    private static FramePeer taker(Scene scene) throws Exception {
        return scene.framePeer("capacity=10", "upgrade=echo");
    }

    private static void ask(RawHttp client, String path) throws IOException {
        client.request("GET", path, "Connection: Upgrade", "Upgrade: echo");
    }

    /** A client whose connection has become a tunnel, and the peer's stream of it. */
    private record Opened(RawHttp client, int stream) {
        static Opened of(RawHttp client, FramePeer peer, String path) throws IOException {
            ask(client, path);
            int stream = peer.request().stream();
            peer.begin(stream, SWITCHING);
            String line = client.line();
            assertTrue(line.startsWith("HTTP/1.1 101 "), line);
            for (String field = client.line(); !field.isEmpty(); field = client.line()) {
                assertTrue(field.indexOf(':') > 0, field);
            }
            return new Opened(client, stream);
        }

        void requireOpen(FramePeer peer) throws IOException {
            client.send("to the peer");
            assertEquals("to the peer", peer.expect(Frame.DATA, stream).text());
            peer.data(stream, "to the client");
            assertEquals("to the client", Bytes.text(client.wire().read(13)));
        }
    }

    @Test
    void tunnelThatIsSilentIsCutAndOneThatSpeaksIsNot(Scene scene) throws Exception {
        FramePeer peer = taker(scene);
        Opened silent = Opened.of(scene.client(), peer, scene.path("/silent"));
        Opened speaks = Opened.of(scene.client(), peer, scene.path("/speaks"));

        // Beyond the response time, which does not count here.
        End end = silent.client().end(BRIEFLY);
        while (end == End.OPEN) {
            speaks.requireOpen(peer);
            end = silent.client().end(BRIEFLY);
        }
        assertEquals(End.RESET, end);
        peer.expect(Frame.CANCEL, silent.stream());
        peer.endSlot(silent.stream());
        speaks.requireOpen(peer);

        assertEquals(End.RESET, speaks.client().end(SOON));
        peer.expect(Frame.CANCEL, speaks.stream());
        peer.endSlot(speaks.stream());
        assertEquals(2, scene.proxy().status().outcomes(scene.path(""), "tunnel-idle"));
    }

    @Test
    void oneTunnelTooManyIsRefusedAndOtherRequestsAreNot(Scene scene) throws Exception {
        FramePeer peer = taker(scene);
        Opened first = Opened.of(scene.client(), peer, scene.path("/1"));
        Opened.of(scene.client(), peer, scene.path("/2"));
        Opened.of(scene.client(), peer, scene.path("/3"));

        RawHttp fourth = scene.client();
        ask(fourth, scene.path("/4"));
        Answers.requireError(503, "too-many-tunnels", fourth.answer());
        RawHttp plain = scene.get("/plain");
        Answers3.requireServed(peer, "/plain", "plain", plain);

        first.client().wire().reset();
        peer.expect(Frame.CANCEL, first.stream());
        peer.endSlot(first.stream());
        peer.requireAlive();
        Opened.of(scene.client(), peer, scene.path("/5")).requireOpen(peer);
    }

    @Test
    void lossOfThePeerCutsItsTunnels(Scene scene) throws Exception {
        FramePeer peer = taker(scene);
        Opened one = Opened.of(scene.client(), peer, scene.path("/1"));
        Opened two = Opened.of(scene.client(), peer, scene.path("/2"));

        peer.reset();

        assertEquals(End.RESET, one.client().end(SOON));
        assertEquals(End.RESET, two.client().end(SOON));
    }

    @Test
    void peerThatDrainsKeepsItsTunnels(Scene scene) throws Exception {
        FramePeer peer = taker(scene);
        Opened open = Opened.of(scene.client(), peer, scene.path("/1"));

        peer.drain();
        peer.requireAlive();
        open.requireOpen(peer);
        open.client().wire().halfClose();
        assertTrue(peer.expect(Frame.DATA, open.stream()).isEnd());
        peer.endData(open.stream());

        assertEquals(End.FIN, open.client().end(SOON));
        assertEquals(End.FIN, peer.end(SOON));
    }

    @Test
    void proxyThatGoesDownLeavesTunnelsTheDrainTime() throws Exception {
        try (ProxyProcess proxy =
                        ProxyProcess.start(
                                "tunnels-drain",
                                Configuration.install("tunnels", "tunnels-drain"));
                FramePeer peer = FramePeer.dial(proxy.lrwpPort());
                RawHttp client = RawHttp.to(proxy.httpPort());
                RawHttp watch = RawHttp.to(proxy.httpPort());
                RawHttp late = RawHttp.to(proxy.httpPort())) {
            peer.open("app", "capacity=10", "upgrade=echo");
            peer.requireAlive();
            Opened open = Opened.of(client, peer, "/app/1");

            proxy.askToStop();
            peer.expect(Frame.DRAIN, 0);
            Wait.require("it drains", SOON, () -> watch.get("/-/health/ready").status() == 503);
            open.requireOpen(peer);
            ask(late, "/app/2");
            Answers.requireError(503, "draining", late.answer());
            open.requireOpen(peer);

            assertEquals(End.RESET, client.end(SOON));
            assertEquals(SIGTERM, proxy.exit(SOON));
        }
    }
}
