package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.Frame;
import org.lrwp.testkit.wire.FramePeer;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A proxy that goes down lets its LRWP 3 peers finish: docs/protocol.md section 15.10. */
@Timeout(180)
class Lrwp3ProxyDrainIT {
    private static final String APP = "patient";

    @Test
    void requestsInHandAreAnsweredAndPeersAreToldBeforeTheEnd() throws Exception {
        ProxyProcess proxy =
                ProxyProcess.start("drain", Configuration.install("patient-drain", "drain"));
        try (proxy;
                FramePeer peer = FramePeer.dial(proxy.lrwpPort());
                FramePeer idle = FramePeer.dial(proxy.lrwpPort());
                RawHttp running = RawHttp.to(proxy.httpPort());
                RawHttp late = RawHttp.to(proxy.httpPort())) {
            peer.open(APP, "started=1");
            peer.requireAlive();
            idle.open("idle");
            idle.requireAlive();
            // Connections that are open before the end begins.
            late.request("GET", "/-/health/live");
            late.answer();
            running.post("/" + APP + "/running", Bytes.of("body"));
            int stream = peer.request("/running").stream();
            peer.started(stream);

            CompletableFuture<Integer> ended = CompletableFuture.supplyAsync(() -> stop(proxy));

            peer.expect(Frame.DRAIN, 0);
            requireTurnedAway(late);
            requireNoListener(proxy);
            peer.text(stream, "in time");
            HttpAnswer answer = running.answer();
            assertEquals(200, answer.status());
            assertEquals("in time", answer.text());
            assertEquals(End.FIN, peer.end(Duration.ofSeconds(10)));
            idle.expect(Frame.DRAIN, 0);
            assertEquals(End.FIN, idle.end(Duration.ofSeconds(10)));
            assertEquals(143, ended.get());
        }
    }

    private static int stop(ProxyProcess proxy) {
        try {
            return proxy.terminate();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    /** A new request is unavailable, or finds the port closed already. */
    private static void requireTurnedAway(RawHttp client) throws IOException {
        HttpAnswer answer = client.get("/" + APP + "/late");

        assertEquals(503, answer.status(), answer.toString());
        assertTrue(answer.saysClose(), answer.toString());
    }

    private static void requireNoListener(ProxyProcess proxy) throws IOException {
        try (FramePeer peer = FramePeer.dial(proxy.lrwpPort())) {
            assertTrue(peer.end(Duration.ofSeconds(5)) != End.OPEN, "the listener still accepts");
        } catch (ConnectException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("refused"), e.toString());
        }
    }
}
