package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.Http2Client;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
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
    private static final Duration LATE = Duration.ofSeconds(30);
    private static final int MEDIUM = 60_000;
    private static final int LARGE = 300_000;
    private static final int HUGE = 8_000_000;
    private static final int STREAMS = 5;
    private static final long ALL = (long) STREAMS * HUGE;

    private static Http2Client stuck(Scene scene, int size) throws Exception {
        return scene.closing(Http2Client.withoutWindow(served(scene, size)));
    }

    /** Has a peer answer /large with so many bytes; returns the port of clients. */
    private static int served(Scene scene, int size) throws Exception {
        scene.serving(
                request ->
                        request.env("PATH_INFO").equals("/large")
                                ? Bytes.join(ScriptedPeer.plain(""), Bytes.random(size, 3))
                                : ServingPeer.echo(request));
        scene.awaitPeers(1);
        return scene.proxy().httpPort();
    }

    /** Asks for more than the system takes for a client that does not read. */
    private static Http2Client greedy(Scene scene) throws Exception {
        return greedy(scene, Http2Client.withOpenWindows(served(scene, HUGE)));
    }

    private static Http2Client greedy(Scene scene, Http2Client client) throws Exception {
        scene.closing(client);
        for (int i = 0; i < STREAMS; i++) {
            client.send(Http2Client.get(2 * i + 1, scene.path("/large")));
        }
        Wait.require("answers wait", SOON, () -> scene.proxy().status().inFlight() > 0);
        return client;
    }

    /** Bytes of all answers, up to the end of the last or of the connection. */
    private static long readAll(Http2Client client) {
        long bytes = 0;
        try {
            while (bytes < ALL) {
                bytes += client.await(Http2Client.DATA).payload().length;
            }
        } catch (IOException e) {
            // The connection has been cut, or nothing more comes.
        }
        return bytes;
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

        requireOver(scene);
    }

    @Test
    void answersWithOpenWindowsWaitForTheirClientAndComeWhole(Scene scene) throws Exception {
        Http2Client client = greedy(scene);

        assertEquals(ALL, readAll(client));
        scene.requireNext(scene.client());
    }

    @Test
    void clientWithOpenWindowsThatReadsNothingIsCutAfterTheStallTime(Scene scene) throws Exception {
        Http2Client client = greedy(scene);

        requireOver(scene);
        assertTrue(readAll(client) < ALL);
    }

    @Test
    void answersBehindTheClosedWindowOfTheirConnectionAreResetAfterTheStallTime(Scene scene)
            throws Exception {
        Http2Client client = greedy(scene, Http2Client.withOpenStreams(served(scene, HUGE)));

        for (int i = 0; i < STREAMS; i++) {
            client.await(Http2Client.RST_STREAM);
        }

        requireOver(scene);
    }

    private static void requireOver(Scene scene) throws Exception {
        Wait.require("all is over", LATE, () -> scene.proxy().status().inFlight() == 0);
        scene.requireNext(scene.client());
    }
}
