package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;

/** Clients that leave, or take their time, while their request is on its way. */
class EdgeDeparturesTest {
    private static final String FORM = "POST /peer HTTP/1.1\r\nHost: a\r\n";

    /** Whether clients speak TLS. */
    boolean isSecure() {
        return false;
    }

    /** By TLS or not, as all of this test. */
    abstract class Clients extends EdgeListener {
        @Override
        boolean isSecure() {
            return EdgeDeparturesTest.this.isSecure();
        }
    }

    /** A peer that registers and then says nothing. */
    private static Socket silentPeer(EdgeListener listener) throws IOException {
        var peer =
                new Socket(
                        InetAddress.getLoopbackAddress(), listener.engine.agentAddress().getPort());
        peer.getOutputStream().write("peer\u00ff\u00ff".getBytes(StandardCharsets.ISO_8859_1));
        EdgeListener.upTo(peer, "OK");
        return peer;
    }

    @Nested
    class WhenTheEndMeansGone extends Clients {
        @Test
        void whoLeavesWhileAPeerHasTheRequestIsLoggedAtOnce() throws Exception {
            try (Socket peer = silentPeer(this)) {
                try (Socket client = client()) {
                    send(client, GET);
                    upTo(peer, "REQUEST_METHOD=GET");
                }
                assertEquals("client-gone", log.take().reason());
            }
        }

        @Test
        void whoLeavesWhileTheRequestWaitsLeavesTheQueue() throws Exception {
            try (Socket peer = silentPeer(this);
                    Socket first = client()) {
                send(first, GET);
                upTo(peer, "REQUEST_METHOD=GET");
                try (Socket client = client()) {
                    send(client, post("/peer/waits", "abc"));
                    pauseFor(2);
                }
                assertEquals("/peer/waits", log.take().target());
                assertEquals(1, engine.status().exchanges().size());
            }
        }

        @Test
        void aResetIsADepartureToo() throws Exception {
            try (Socket peer = silentPeer(this)) {
                try (Socket client = client()) {
                    send(client, GET);
                    upTo(peer, "REQUEST_METHOD=GET");
                    reset(client);
                }
                assertEquals("client-gone", log.take().reason());
            }
        }

        @Test
        void whoSendsAheadAndLeavesIsSeenToo() throws Exception {
            try (Socket peer = silentPeer(this)) {
                try (Socket client = client()) {
                    send(client, GET + GET + post("/file", "abc"));
                    upTo(peer, "REQUEST_METHOD=GET");
                }
                assertEquals("client-gone", log.take().reason());
            }
        }

        @Test
        void anEndOfTheSendingHalfMeansGone() throws Exception {
            try (Socket peer = silentPeer(this);
                    Socket client = client()) {
                send(client, GET);
                upTo(peer, "REQUEST_METHOD=GET");
                client.shutdownOutput();
                assertEquals("client-gone", log.take().reason());
                assertTrue(isClosed(client));
            }
        }

        @Test
        void chunksThatBreakARuleLaterAreAnErrorToo() throws Exception {
            answer("X-A: 1", "hello");
            try (Socket client = client()) {
                send(client, FORM + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
                pause();
                send(client, "zz\r\n" + GET);
                String all = rest(client);
                assertTrue(all.startsWith("HTTP/1.1 400 "), all);
            }
        }

        /** Until so many requests are open. */
        private void pauseFor(int exchanges) {
            while (engine.status().exchanges().size() < exchanges) {
                Thread.onSpinWait();
            }
        }
    }

    @Nested
    class WhenHalfAClientIsAllowed extends Clients {
        @Override
        Map<String, String> settings() {
            return Map.of("lrwp.client.half-close", "allowed");
        }

        @Test
        void anEndOfTheSendingHalfStillGetsTheAnswer() throws Exception {
            try (Socket peer = silentPeer(this);
                    Socket client = client()) {
                send(client, GET);
                upTo(peer, "REQUEST_METHOD=GET");
                client.shutdownOutput();
                try (Socket other = client()) {
                    send(other, post("/file", "abc"));
                    upTo(other, "container /file 3");
                }
                peer.getOutputStream()
                        .write("000000015X-A: 1\r\n\r\nhello".getBytes(StandardCharsets.US_ASCII));
                upTo(client, "hello");
                assertTrue(isClosed(client));
            }
        }
    }

    @Nested
    class WhenHeadsHaveLittleTime extends Clients {
        @Override
        Map<String, String> settings() {
            return Map.of("lrwp.client.head-timeout", "1ms");
        }

        @Test
        void aHeadThatDoesNotComeToItsEndCostsTheConnection() throws Exception {
            try (Socket client = client()) {
                send(client, GET.substring(0, 9));
                assertTrue(isClosed(client));
            }
        }
    }

    @Nested
    class WhenTheContainerClosesSilentConnections extends Clients {
        @Override
        OptionalInt idleSeconds() {
            return OptionalInt.of(1);
        }

        @Test
        void aRequestOfAPeerBehindOneOfTheContainerIsNotSilence() throws Exception {
            try (Socket peer = silentPeer(this);
                    Socket client = client()) {
                send(client, post("/file", "abc"));
                upTo(client, "container /file 3");
                send(client, GET);
                upTo(peer, "REQUEST_METHOD=GET");
                try (Socket silent = client()) {
                    send(silent, post("/file", "abcd"));
                    upTo(silent, "container /file 4");
                    assertTrue(isClosed(silent));
                }
                peer.getOutputStream()
                        .write("000000015X-A: 1\r\n\r\nhello".getBytes(StandardCharsets.US_ASCII));
                upTo(client, "hello");
                send(client, post("/file", "abcde"));
                upTo(client, "container /file 5");
            }
        }
    }
}
