package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.nio.NIOConnection;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.webapp.container.ClientReader;
import org.lrwp.webapp.container.ReaderStrategy;

import java.io.IOException;
import java.net.Socket;
import java.nio.channels.SelectionKey;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Clients that leave, or take their time, while their request is on its way. */
class EdgeDeparturesTest {
    private static final String FORM = "POST /peer HTTP/1.1\r\nHost: a\r\n";

    /** Whose TLS clients speak. */
    Encryption encryption() {
        return Encryption.NONE;
    }

    /** By TLS or not, as all of this test. */
    abstract class Clients extends EdgeListener {
        @Override
        Encryption encryption() {
            return EdgeDeparturesTest.this.encryption();
        }
    }

    @Nested
    class WhenTheEndMeansGone extends Clients {
        @Test
        void whoLeavesWhileAPeerHasTheRequestIsLoggedAtOnce() throws Exception {
            try (ScriptedPeer peer = silentPeer()) {
                try (Socket client = client()) {
                    send(client, GET);
                    peer.request();
                }
                assertEquals("client-gone", log.take().reason());
            }
        }

        @Test
        void whoLeavesWhileTheRequestWaitsLeavesTheQueue() throws Exception {
            try (ScriptedPeer peer = silentPeer();
                    Socket first = client()) {
                send(first, GET);
                peer.request();
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
            try (ScriptedPeer peer = silentPeer()) {
                try (Socket client = client()) {
                    send(client, GET);
                    peer.request();
                    reset(client);
                }
                assertEquals("client-gone", log.take().reason());
            }
        }

        @Test
        void whoSendsAheadAndLeavesIsSeenToo() throws Exception {
            try (ScriptedPeer peer = silentPeer()) {
                try (Socket client = client()) {
                    send(client, GET + GET + post("/file", "abc"));
                    peer.request();
                }
                assertEquals("client-gone", log.take().reason());
            }
        }

        @Test
        void anEndOfTheSendingHalfMeansGone() throws Exception {
            try (ScriptedPeer peer = silentPeer();
                    Socket client = client()) {
                send(client, GET);
                peer.request();
                client.shutdownOutput();
                assertEquals("client-gone", log.take().reason());
                assertTrue(isClosed(client));
            }
        }

        @Test
        void whomTheContainerCutsIsGone() throws Exception {
            var given = new CompletableFuture<NIOConnection>();
            beforeAnswer =
                    request -> given.complete((NIOConnection) request.getContext().getConnection());
            try (ScriptedPeer peer = silentPeer();
                    Socket client = client()) {
                send(client, "GET /file HTTP/1.1\r\nHost: a\r\n\r\n");
                upTo(client, "container /file 0");
                send(client, GET);
                peer.request();
                given.get().closeSilently();
                assertEquals("client-gone", log.take().reason());
            }
        }

        @Test
        void anEndThatCameBeforeTheContainerReadTheBodyIsSeenWhenItHas() throws Exception {
            var given = new CompletableFuture<NIOConnection>();
            var reads = new CountDownLatch(1);
            var left = new CompletableFuture<Boolean>();
            beforeAnswer =
                    request -> {
                        given.complete((NIOConnection) request.getContext().getConnection());
                        left.complete(isLeftBehindTheBody(request, reads));
                    };
            try (Socket client = client()) {
                send(client, "POST /file HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc");
                NIOConnection served = given.get();
                send(client, "def");
                client.shutdownOutput();
                while (isSelectedForReading(served)) {
                    Thread.onSpinWait();
                }
                reads.countDown();
                assertTrue(left.get());
            }
        }

        /** On a thread of the container, which may wait. */
        private boolean isLeftBehindTheBody(Request request, CountDownLatch reads) {
            var gone = new CountDownLatch(1);
            try {
                reads.await();
                ClientReader client =
                        requireNonNull(ReaderStrategy.reader(request.getContext().getConnection()));
                requireNonNull(client.given()).onDeparture(gone::countDown);
                request.getInputStream().readAllBytes();
                return gone.await(5, TimeUnit.SECONDS);
            } catch (IOException e) {
                // Of TLS the container's filter reads the end together with the body.
                return true;
            } catch (InterruptedException e) {
                return false;
            }
        }

        private static boolean isSelectedForReading(NIOConnection connection) {
            return (connection.getSelectionKey().interestOps() & SelectionKey.OP_READ) != 0;
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
            try (ScriptedPeer peer = silentPeer();
                    Socket client = client()) {
                send(client, GET);
                peer.request();
                client.shutdownOutput();
                try (Socket other = client()) {
                    send(other, post("/file", "abc"));
                    upTo(other, "container /file 3");
                }
                peer.answer("X-A: 1\r\n\r\nhello");
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
            try (ScriptedPeer peer = silentPeer();
                    Socket client = client()) {
                send(client, post("/file", "abc"));
                upTo(client, "container /file 3");
                send(client, GET);
                peer.request();
                try (Socket silent = client()) {
                    send(silent, post("/file", "abcd"));
                    upTo(silent, "container /file 4");
                    assertTrue(isClosed(silent));
                }
                peer.answer("X-A: 1\r\n\r\nhello");
                upTo(client, "hello");
                send(client, post("/file", "abcde"));
                upTo(client, "container /file 5");
            }
        }
    }
}
