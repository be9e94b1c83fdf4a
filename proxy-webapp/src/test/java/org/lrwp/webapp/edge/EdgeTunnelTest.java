package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerResponse;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** Clients that go over to another protocol with a peer. */
class EdgeTunnelTest extends EdgeListener {
    private static final String ASK = asking("keep-alive, Upgrade", "echo/1, websocket");

    private static String asking(String connection, String upgrade) {
        return "GET /peer/t HTTP/1.1\r\nHost: a\r\nConnection: %s\r\nUpgrade: %s\r\n\r\n"
                .formatted(connection, upgrade);
    }

    private @Nullable LrwpPeer peer;
    private final CountDownLatch left = new CountDownLatch(1);
    private final Semaphore more = new Semaphore(0);

    /** Sends back what it reads, and ends when the client does, or at an exclamation mark. */
    private void echo() throws Exception {
        peer =
                LrwpPeer.builder()
                        .proxy("127.0.0.1:" + engine.agentAddress().getPort())
                        .context("/peer")
                        .concurrency(8)
                        .upgrades("echo/1")
                        .handler(
                                request ->
                                        request.offers("echo/1")
                                                ? PeerResponse.upgraded(
                                                        "echo/1",
                                                        List.of(new HeaderField("X-Own", "1")),
                                                        this::echo)
                                                : ordinary(request.pathInfo()))
                        .connect();
        // Its contexts are known before what it takes.
        while (engine.status().peers().stream().noneMatch(one -> one.capacity() > 0)) {
            Thread.onSpinWait();
        }
    }

    private PeerResponse ordinary(String path) {
        return "/stream".equals(path)
                ? PeerResponse.streamed(
                        "text/plain",
                        out -> {
                            out.write('a');
                            out.flush();
                            more.acquireUninterruptibly();
                            out.write('b');
                        })
                : PeerResponse.of("text/plain", new byte[] {'h'});
    }

    private void echo(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[8192];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
                out.flush();
                if (buffer[count - 1] == '!') {
                    return;
                }
            }
        } finally {
            left.countDown();
        }
    }

    @AfterEach
    void leave() {
        LrwpPeer known = peer;
        if (known != null) {
            known.close();
        }
    }

    private static String upgraded(Socket client) throws Exception {
        String head = upTo(client, "\r\n\r\n");
        assertTrue(head.startsWith("HTTP/1.1 101 Switching Protocols\r\n"), head);
        assertTrue(head.contains("\r\nConnection: Upgrade\r\n"), head);
        assertTrue(head.contains("\r\nUpgrade: echo/1\r\n"), head);
        assertTrue(head.contains("\r\nX-Own: 1\r\n"), head);
        assertFalse(head.contains("Content-Length"), head);
        assertFalse(head.contains("Transfer-Encoding"), head);
        return head;
    }

    @Test
    void bytesGoBothWaysEarlyOnesFirst() throws Exception {
        echo();
        try (Socket client = client()) {
            send(client, ASK + "early ");
            upgraded(client);
            send(client, "and late");
            upTo(client, "early and late");
            for (int i = 0; i < 20; i++) {
                send(client, "ping " + i + ";");
                upTo(client, "ping " + i + ";");
            }
        }
    }

    /** The peer's thread opens the tunnel while the client's reads what comes. */
    @Test
    void bytesThatComeWhileThePeerAcceptsAreNotLost() throws Exception {
        echo();
        for (int i = 0; i < 200; i++) {
            try (Socket client = client()) {
                send(client, i % 2 == 0 ? ASK + "early " : ASK);
                send(client, "at once ");
                upgraded(client);
                upTo(client, i % 2 == 0 ? "early at once " : "at once ");
                send(client, "late");
                upTo(client, "late");
            }
        }
    }

    @Test
    void manyBytesArriveAsTheyWereSent() throws Exception {
        echo();
        byte[] sent = new byte[5_000_000];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = (byte) ('a' + i * 31 % 26);
        }
        try (Socket client = client()) {
            send(client, ASK);
            upgraded(client);
            Thread writer =
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    client.getOutputStream().write(sent);
                                    client.shutdownOutput();
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
            byte[] got = client.getInputStream().readAllBytes();
            writer.join();
            assertEquals(
                    new String(sent, StandardCharsets.US_ASCII),
                    new String(got, StandardCharsets.US_ASCII));
        }
        var line = log.take();
        assertEquals(101, line.status());
        assertEquals("answered", line.reason());
    }

    @Test
    void aPeerThatEndsLetsTheClientFinish() throws Exception {
        echo();
        try (Socket client = client()) {
            send(client, ASK);
            upgraded(client);
            send(client, "bye!");
            assertEquals("bye!", rest(client));
            client.shutdownOutput();
            assertEquals(101, log.take().status());
        }
    }

    @Test
    void aClientThatLeavesEndsTheTunnel() throws Exception {
        echo();
        try (Socket client = client()) {
            send(client, ASK);
            upgraded(client);
            send(client, "x");
            upTo(client, "x");
            reset(client);
        }
        left.await();
        assertEquals("client-gone", log.take().reason());
    }

    @Test
    void aPeerThatIsGoneCutsTheClient() throws Exception {
        echo();
        try (Socket client = client()) {
            send(client, ASK);
            upgraded(client);
            engine.close();
            assertTrue(isClosed(client));
        }
    }

    /** An end in order would say that the peer has said all. */
    @Test
    void aClientIsResetWhenTheSelectorsAreTakenAwayUnderItsTunnel() throws Exception {
        echo();
        try (Socket client = client()) {
            send(client, ASK);
            upgraded(client);
            closeTransport();
            assertThrows(IOException.class, () -> client.getInputStream().read());
        }
    }

    @Test
    void whatNoPeerTakesIsAnOrdinaryRequest() throws Exception {
        echo();
        try (Socket client = client()) {
            for (String other : List.of("foo", "h2c")) {
                send(client, asking("Upgrade", other));
                String text = upTo(client, "h");
                assertTrue(upTo(client, "\r\n\r\nh").length() > 0, text);
            }
            send(client, asking("keep-alive", "echo/1"));
            upTo(client, "\r\n\r\nh");
        }
    }

    @Test
    void anAnswerOfUnknownLengthIsChunkedOrEndsWithTheConnection() throws Exception {
        echo();
        try (Socket client = client()) {
            send(client, "GET /peer/stream HTTP/1.1\r\nHost: a\r\n\r\n");
            String head = upTo(client, "\r\n\r\n");
            assertTrue(head.contains("\r\nTransfer-Encoding: chunked\r\n"), head);
            more.release();
            assertEquals("1\r\na\r\n1\r\nb\r\n0\r\n\r\n", upTo(client, "0\r\n\r\n"));
            more.release();
            send(client, "HEAD /peer/stream HTTP/1.1\r\nHost: a\r\n\r\n");
            assertFalse(upTo(client, "\r\n\r\n").contains("chunked"));
            send(client, "GET /peer/stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            head = upTo(client, "\r\n\r\n");
            assertTrue(head.contains("\r\nConnection: close\r\n"), head);
            more.release();
            assertEquals("ab", rest(client));
        }
    }
}
