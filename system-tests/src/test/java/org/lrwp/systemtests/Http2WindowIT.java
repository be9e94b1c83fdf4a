package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.Http2Client;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.IOException;
import java.time.Duration;

/** Clients of HTTP/2 that give no window for what they ask for, or say what is not so. */
@SystemTest
@ServerConfig(http2 = true)
class Http2WindowIT {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final int MEDIUM = 60_000;
    private static final int LARGE = 300_000;

    private static Http2Client stuck(Scene scene, int size) throws Exception {
        scene.serving(
                request ->
                        request.env("PATH_INFO").equals("/large")
                                ? Bytes.join(ScriptedPeer.plain(""), Bytes.random(size, 3))
                                : ServingPeer.echo(request));
        scene.awaitPeers(1);
        int port = scene.proxy().httpPort();
        return scene.closing(Http2Client.withoutWindow(port));
    }

    private static void requireQuick(Scene scene) throws IOException {
        RawHttp other = scene.client();
        for (int i = 0; i < 20; i++) {
            long begin = System.nanoTime();
            assertEquals("GET /x\n", other.get(scene.path("/x")).text());
            Duration time = Duration.ofNanos(System.nanoTime() - begin);
            assertTrue(time.compareTo(SOON) < 0, time::toString);
        }
    }

    @Test
    void answerThatIsNotTakenKeepsNobodyWaiting(Scene scene) throws Exception {
        Http2Client client = stuck(scene, MEDIUM);
        for (int stream = 1; stream < 20; stream += 2) {
            client.send(Http2Client.get(stream, scene.path("/large")));
            client.await(Http2Client.HEADERS);
            requireQuick(scene);
        }
        scene.requireNext(scene.client());
    }

    @Test
    void schemeOfTheClientIsNoTls(Scene scene) throws Exception {
        scene.serving(
                request -> ScriptedPeer.plain("[" + request.env().containsKey("HTTPS") + "]"));
        scene.awaitPeers(1);
        try (Http2Client client = Http2Client.to(scene.proxy().httpPort())) {
            client.send(Http2Client.get(1, "https", scene.path("/x")));

            assertEquals("[false]", Bytes.text(client.await(Http2Client.DATA).payload()));
        }
    }

    @Test
    void answerThatIsTakenLateComesWhole(Scene scene) throws Exception {
        Http2Client client = stuck(scene, MEDIUM);
        client.send(Http2Client.get(1, scene.path("/large")));
        client.await(Http2Client.HEADERS);
        requireQuick(scene);

        client.send(Http2Client.window(1, MEDIUM));
        int bytes = 0;
        while (bytes < MEDIUM) {
            bytes += client.await(Http2Client.DATA).payload().length;
        }

        assertEquals(MEDIUM, bytes);
        scene.requireNext(scene.client());
    }

    @Test
    void answerThatIsNotTakenIsResetAfterTheStallTime(Scene scene) throws Exception {
        Http2Client client = stuck(scene, LARGE);
        client.send(Http2Client.get(1, scene.path("/large")));

        assertEquals(1, client.await(Http2Client.RST_STREAM).stream());

        assertEquals(0, scene.proxy().status().inFlight());
        scene.requireNext(scene.client());
    }
}
