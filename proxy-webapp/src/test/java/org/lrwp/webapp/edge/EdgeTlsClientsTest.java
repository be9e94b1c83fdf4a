package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.transport.Transport;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.net.ssl.SSLSocket;

/** Clients of TLS in what only TLS has. */
class EdgeTlsClientsTest {
    /** A connection with TLS below which a test decides what is sent, and when. */
    private abstract static class Carrying extends Socket {
        final Socket carrier;

        Carrying(Socket carrier) {
            this.carrier = carrier;
        }

        abstract void send(byte[] bytes) throws IOException;

        @Override
        public InputStream getInputStream() throws IOException {
            return carrier.getInputStream();
        }

        @Override
        public OutputStream getOutputStream() {
            return new OutputStream() {
                @Override
                public void write(int value) throws IOException {
                    send(new byte[] {(byte) value});
                }

                @Override
                public void write(byte[] bytes, int offset, int count) throws IOException {
                    send(Arrays.copyOfRange(bytes, offset, offset + count));
                }
            };
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public int getPort() {
            return carrier.getPort();
        }

        @Override
        public void close() throws IOException {
            carrier.close();
        }
    }

    /** Something else goes first, in one piece with what TLS says first. */
    private static final class Prefixed extends Carrying {
        private String first;

        Prefixed(Socket carrier, String first) {
            super(carrier);
            this.first = first;
        }

        @Override
        void send(byte[] bytes) throws IOException {
            EdgeListener.send(carrier, first + new String(bytes, StandardCharsets.ISO_8859_1));
            first = "";
        }
    }

    /** What follows the first message waits, and goes in one piece with the end. */
    private static final class Held extends Carrying {
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private boolean greeted;

        Held(Socket carrier) {
            super(carrier);
        }

        @Override
        void send(byte[] bytes) throws IOException {
            OutputStream next = greeted ? held : carrier.getOutputStream();
            greeted = true;
            next.write(bytes);
        }

        @Override
        public void shutdownOutput() throws IOException {
            if (!carrier.isOutputShutdown()) {
                carrier.getOutputStream().write(held.toByteArray());
                carrier.shutdownOutput();
            }
        }
    }

    /** Clients that say all they have to say together with the end of their handshake. */
    abstract static class InOnePiece extends EdgeListener {
        private static final int ROUNDS = 50;

        @Override
        Map<String, String> settings() {
            return Map.of("lrwp.client.half-close", "allowed");
        }

        @Test
        void theRequestIsAnsweredThoughTheEndCameWithIt() throws Exception {
            answer("X-A: 1", "hello");
            for (int i = 0; i < ROUNDS; i++) {
                try (SSLSocket client = TestTls.shared().over(new Held(plainClient()), "TLSv1.3")) {
                    send(client, GET);
                    client.shutdownOutput();
                    assertTrue(upTo(client, "hello").startsWith("HTTP/1.1 200 "));
                }
                assertEquals(200, log.take().status());
            }
        }
    }

    @Nested
    class InOnePieceForTheContainer extends InOnePiece {
        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }
    }

    @Nested
    class InOnePieceForTheProxy extends InOnePiece {
        @Override
        Encryption encryption() {
            return Encryption.OF_PROXY;
        }
    }

    @Nested
    class OfOneVersion extends EdgeListener {
        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }

        @ParameterizedTest
        @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
        void requestsAreSecureAndTheEndOfTheClientIsSeen(String version) throws Exception {
            ServingPeer peer = answer("X-A: 1", "hello");
            try (SSLSocket client = TestTls.shared().over(plainClient(), version)) {
                send(client, GET + GET);
                upTo(client, "hello");
                upTo(client, "hello");
                String seen = peer.take();
                assertTrue(seen.contains("\nHTTPS=on\n"), seen);
                assertTrue(seen.contains("\nSERVER_SECURITY=SSL\n"), seen);
                assertTrue(seen.contains("\nREMOTE_PORT=" + client.getLocalPort() + "\n"), seen);
                client.shutdownOutput();
                assertEquals("", rest(client));
            }
        }

        @Test
        void whoWantsAnotherHandshakeIsClosedAndOthersDoNotWait() throws Exception {
            answer("X-A: 1", "hello");
            try (SSLSocket client = TestTls.shared().over(plainClient(), "TLSv1.2")) {
                send(client, GET);
                upTo(client, "hello");
                client.startHandshake();
                assertTrue(isClosed(client));
            }
            pause();
        }

        @Test
        void whatIsNoTlsIsClosed() throws Exception {
            answer("X-A: 1", "hello");
            try (Socket client = plainClient()) {
                send(client, GET + GET);
                assertFalse(rest(client).contains("HTTP/"));
            }
            pause();
        }
    }

    @Nested
    class OnSeveralThreads extends EdgeListener {
        private static final int LENGTH = 20_000;
        private static final int ROUNDS = 10;

        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }

        @Override
        int selectors() {
            return 3;
        }

        private static byte[] answer(RequestFrame request) {
            String letter = request.env("PATH_INFO").substring(1);
            return ScriptedPeer.plain(letter.repeat(LENGTH));
        }

        /** Asks for its letter, with new keys for each answer; how often it got it. */
        private int ask(String letter) throws IOException {
            String asked = "GET /peer/" + letter + " HTTP/1.1\r\nHost: a\r\n\r\n";
            int whole = 0;
            for (int i = 0; i < ROUNDS; i++) {
                try (SSLSocket client = TestTls.shared().over(plainClient(), "TLSv1.3")) {
                    for (int j = 1; j < MOST_REQUESTS; j++) {
                        send(client, asked);
                        client.startHandshake();
                        upTo(client, "\r\n\r\n");
                        byte[] body = client.getInputStream().readNBytes(LENGTH);
                        String found = new String(body, StandardCharsets.ISO_8859_1);
                        assertEquals("", found.replace(letter, ""), "of somebody else");
                        whole += body.length == LENGTH ? 1 : 0;
                    }
                } catch (IOException cut) {
                    // A change of keys amid a record may cost the connection.
                }
            }
            return whole;
        }

        @Test
        void whoChangesKeysWhileItIsAnsweredGetsNothingOfOthers() throws Exception {
            int port = engine.agentAddress().getPort();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                    var _ = new ServingPeer(port, "peer", OnSeveralThreads::answer);
                    var _ = new ServingPeer(port, "peer", OnSeveralThreads::answer);
                    var _ = new ServingPeer(port, "peer", OnSeveralThreads::answer)) {
                List<Future<Integer>> clients = new ArrayList<>();
                for (String letter : List.of("a", "b", "c", "d")) {
                    clients.add(threads.submit(() -> ask(letter)));
                }
                for (Future<Integer> client : clients) {
                    assertTrue(client.get() > 0);
                }
            }
        }
    }

    @Nested
    class WithTwoCopies extends EdgeListener {
        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }

        @Test
        void oneOfThemReadsAConnectionAndTheOtherOneGoesOnAlone() throws Exception {
            answer("X-A: 1", "hello");
            var own = new Edge(InstantSource.system());
            own.open(Objects.requireNonNull(edge.router()));
            try (Socket early = client()) {
                send(early, GET);
                upTo(early, "hello");
                try (Transport copy = attachCopy(own);
                        Socket client = client()) {
                    for (Socket one : List.of(client, early)) {
                        send(one, GET + post("/file", "abc") + GET);
                        upTo(one, "hello");
                        upTo(one, "container /file 3");
                        upTo(one, "hello");
                    }
                    assertTrue(copy.status().listening());
                }
                send(early, GET);
                upTo(early, "hello");
            }
            pause();
        }
    }

    @Nested
    class ByTheServlet extends EdgeListener {
        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }

        @Override
        boolean answers() {
            return false;
        }

        @Test
        void theContainerGetsAllRequestsOneAtATime() throws Exception {
            answer("X-A: 1", "hello");
            try (Socket client = client()) {
                send(client, GET + post("/peer", "abc") + post("/file", "abcd"));
                upTo(client, "container /peer 0");
                upTo(client, "container /peer 3");
                upTo(client, "container /file 4");
                send(client, "GET /peer HTTP/1.1\r\n\r\n");
                upTo(client, "HTTP/1.1 400 ");
            }
        }
    }

    @Nested
    class WhenHeadsHaveASecond extends EdgeListener {
        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }

        @Override
        Map<String, String> settings() {
            return Map.of("lrwp.client.head-timeout", "1s");
        }

        @Test
        void aHandshakeThatDoesNotGoOnCostsTheConnection() throws Exception {
            try (Socket client = plainClient()) {
                send(client, "\26\3\1\0\310\1");
                assertEquals("", rest(client));
            }
        }

        @Test
        void aHeadThatDoesNotGoOnToo() throws Exception {
            try (Socket client = client()) {
                send(client, "GET /peer");
                assertEquals("", rest(client));
            }
        }
    }

    @Nested
    class BehindAProxy extends EdgeListener {
        private static final String LINE = "PROXY TCP4 192.0.2.7 10.0.0.1 4711 443\r\n";
        private static final String V2 =
                "\r\n\r\n\0\r\nQUIT\n"
                        + "\41\21\0\17"
                        + "\300\0\2\7"
                        + "\n\0\0\1"
                        + "\22g"
                        + "\1\273"
                        + "\4\0\0";

        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }

        @Override
        Map<String, String> settings() {
            return Map.of("lrwp.client.proxy-protocol", "on", "lrwp.client.head-timeout", "1s");
        }

        /** Somebody else's round trip, with a header of the proxy itself. */
        @Override
        void pause() throws IOException {
            try (SSLSocket other = after("PROXY UNKNOWN\r\n")) {
                send(other, GET);
                upTo(other, "hello");
            }
        }

        private SSLSocket after(String header) throws IOException {
            return TestTls.shared().over(new Prefixed(plainClient(), header));
        }

        private void requireNamed(ServingPeer peer) throws Exception {
            String seen = peer.take();
            assertTrue(seen.contains("\nREMOTE_ADDR=192.0.2.7\nREMOTE_PORT=4711\n"), seen);
            assertTrue(seen.contains("\nHTTPS=on\n"), seen);
            assertTrue(seen.contains("\nLRWP_FORWARDED=1\n"), seen);
        }

        @ParameterizedTest
        @ValueSource(strings = {LINE, V2})
        void theHeaderComesBeforeTlsInOnePieceOrInMany(String header) throws Exception {
            ServingPeer peer = answer("X-A: 1", "hello");
            for (int cut : new int[] {0, 1, 14, 15, 17, header.length() - 1, header.length()}) {
                Socket carrier = plainClient();
                if (cut > 0) {
                    send(carrier, header.substring(0, cut));
                    pause();
                    peer.take();
                }
                try (SSLSocket client =
                        TestTls.shared().over(new Prefixed(carrier, header.substring(cut)))) {
                    send(client, GET + GET);
                    upTo(client, "hello");
                    upTo(client, "hello");
                    requireNamed(peer);
                    requireNamed(peer);
                }
            }
        }

        @Test
        void theContainerGetsItsRequestsToo() throws Exception {
            try (SSLSocket client = after(LINE)) {
                send(client, post("/file", "abc"));
                upTo(client, "container /file 3");
            }
        }

        @Test
        void aConnectionThatSaysNothingIsClosedInTime() throws Exception {
            try (Socket client = plainClient()) {
                assertEquals("", rest(client));
            }
        }

        @Test
        void tlsWithoutAHeaderIsClosed() throws Exception {
            try (Socket client = client()) {
                assertTrue(isClosed(client));
            }
        }
    }
}
