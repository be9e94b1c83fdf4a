package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * Bodies of a gigabyte through a peer that takes them as they come, with a server that has room for
 * a thousandth of them in its spool and for three quarters in its heap.
 */
class LargeStreamIT {
    private static final int SIZE = 999_999_999;
    private static final Duration SOON = Duration.ofSeconds(20);

    /** Of a length that divides no buffer, so that a byte in a wrong place shows. */
    private static final byte[] PATTERN = Bytes.random(65_521, 11);

    @TempDir private static Path folder = Path.of("unset");
    private static ProxyProcess proxy;

    @BeforeAll
    static void startTheServer() throws Exception {
        String room = "spool.memory-total = 1MiB\nspool.disk-total = 0\n";
        proxy =
                ProxyProcess.start(
                        "large", Configuration.write(folder.resolve("large.properties"), room));
    }

    @AfterAll
    static void endTheServer() {
        proxy.close();
    }

    private static LrwpPeer connect() throws Exception {
        LrwpPeer peer =
                LrwpPeer.builder().stream(true)
                        .proxy("127.0.0.1:" + proxy.lrwpPort())
                        .context("/large")
                        .window(1_000_000)
                        .listener(event -> {})
                        .handler(LargeStreamIT::handle)
                        .connect();
        assertTrue(peer.awaitRegistered(SOON));
        Wait.require("it serves", SOON, () -> proxy.status().number("/large", "slots") > 0);
        return peer;
    }

    private static PeerResponse handle(PeerRequest request) throws IOException {
        if (request.method().equals("GET")) {
            return PeerResponse.streamed("application/octet-stream", LargeStreamIT::write);
        }
        return PeerResponse.text(200, "right up to " + rightUpTo(request.body()));
    }

    private static void write(OutputStream out) throws IOException {
        for (int left = SIZE; left > 0; left -= PATTERN.length) {
            out.write(PATTERN, 0, Math.min(left, PATTERN.length));
        }
    }

    /** How many bytes come until one is wrong or the stream ends. */
    private static long rightUpTo(InputStream in) throws IOException {
        long count = 0;
        byte[] got = new byte[PATTERN.length];
        while (true) {
            int length = in.readNBytes(got, 0, got.length);
            int wrong = Arrays.mismatch(got, 0, length, PATTERN, 0, length);
            if (wrong >= 0 || length < got.length) {
                return count + (wrong >= 0 ? wrong : length);
            }
            count += length;
        }
    }

    @Test
    void gigabyteGoesUp() throws Exception {
        try (LrwpPeer peer = connect();
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            client.send(client.head("POST", "/large/up", "Content-Length: " + SIZE));
            for (int left = SIZE; left > 0; left -= PATTERN.length) {
                client.wire().send(Arrays.copyOf(PATTERN, Math.min(left, PATTERN.length)));
            }

            assertEquals("right up to " + SIZE, client.answer().text());
            assertEquals(1, peer.registeredConnections());
        }
    }

    @Test
    void gigabyteComesDown() throws Exception {
        try (LrwpPeer peer = connect();
                RawHttp client = RawHttp.to(proxy.httpPort())) {
            client.request("GET", "/large/down");

            assertEquals("HTTP/1.1 200 OK", client.line());
            assertEquals(SIZE, rightUpTo(client.unchunked()));
            assertEquals(1, peer.registeredConnections());
        }
    }
}
