package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.tls.PeerTls;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** What comes on a connection while its asynchronous handler has not answered. */
@Timeout(60)
final class SerialExchangeTest {
    private static final byte[] END = {};
    private static final RequestHead GET =
            RequestHead.of(Map.of("REQUEST_METHOD", "GET", "CONTENT_LENGTH", "0"));

    @AutoClose private final FakeSocket socket = new FakeSocket();
    private final FrameInput in;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    SerialExchangeTest() throws IOException {
        in = new FrameInput(socket);
    }

    /** A connection whose bytes the test brings, when somebody waits for them. */
    private static final class FakeSocket implements ProxySocket {
        private final BlockingQueue<byte[]> incoming = new LinkedBlockingQueue<>();
        private final Semaphore reads = new Semaphore(0);

        @Override
        public InputStream input() {
            return new InputStream() {
                @Override
                public int read() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public int read(byte[] target, int offset, int count) throws IOException {
                    reads.release();
                    try {
                        byte[] bytes = incoming.take();
                        System.arraycopy(bytes, 0, target, offset, bytes.length);
                        return bytes.length == 0 ? -1 : bytes.length;
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                }
            };
        }

        @Override
        public OutputStream output() {
            return new ByteArrayOutputStream();
        }

        @Override
        public void connect(SocketAddress proxy, Duration most) {}

        @Override
        public ProxySocket secured(PeerTls tls, String host, ProtocolVersion version) {
            return this;
        }

        @Override
        public byte[] certificateHash() {
            return END;
        }

        @Override
        public void waitAtMost(Duration time) {}

        @Override
        public void holdLast() {}

        @Override
        public void shutdownOutput() {}

        @Override
        public boolean isOutputShutdown() {
            return false;
        }

        @Override
        public void close() {
            incoming.add(END);
        }
    }

    private static final class NoEvents implements ConnectionEvents {
        @Override
        public void served(String context, boolean now) {}

        @Override
        public void contextRefused(String context, String text) {}

        @Override
        public void draining() {}

        @Override
        public void handlerFailed(Throwable cause) {
            throw new AssertionError(cause);
        }
    }

    /** Has the handler asked once; what it answers is given to the test. */
    private AnswerFrame answer(ExchangeHandler handler, Duration watchAfter) throws IOException {
        return new SerialExchange(handler, new NoEvents(), in, watchAfter)
                .answer(GET, new BodyInputStream(in, 0), () -> false);
    }

    private void listen(PeerExchange exchange) {
        exchange.listen(
                new ExchangeListener() {
                    @Override
                    public void onCancelled(String reason) {
                        heard.add(reason);
                        exchange.abort(reason);
                    }

                    @Override
                    public void onDone() {
                        heard.add("done");
                    }
                });
    }

    private static void respond(PeerExchange exchange) {
        exchange.answer(200, List.of(), ByteBuffer.allocate(0));
    }

    private String next() throws IOException {
        assertTrue(in.fill());
        return StandardCharsets.US_ASCII.decode(in.arrived()).toString();
    }

    @Test
    void anAnswerThatComesSoonNeedsNobodyToReadAhead() throws Exception {
        answer(SerialExchangeTest::respond, Duration.ofDays(1));
        assertFalse(in.isAhead());
        assertEquals(0, socket.reads.availablePermits());
    }

    @Test
    void whatComesBeforeTheAnswerIsKept() throws Exception {
        CompletableFuture<PeerExchange> held = new CompletableFuture<>();
        Thread answering =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    socket.reads.acquireUninterruptibly();
                                    socket.incoming.add(
                                            "early".getBytes(StandardCharsets.US_ASCII));
                                    respond(held.join());
                                });
        answer(
                exchange -> {
                    listen(exchange);
                    held.complete(exchange);
                },
                Duration.ZERO);
        answering.join();
        assertEquals("early", next());
        assertFalse(in.isAhead());
        socket.incoming.add("next".getBytes(StandardCharsets.US_ASCII));
        assertEquals("next", next());
        assertEquals("done", heard.take());
        assertTrue(heard.isEmpty());
    }

    @Test
    void whatComesBehindTheAnswerIsReadByWhoHasBegunTo() throws Exception {
        CompletableFuture<PeerExchange> held = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            socket.reads.acquireUninterruptibly();
                            respond(held.join());
                        });
        answer(held::complete, Duration.ZERO);
        in.waitAtMost(Duration.ofMillis(10));
        assertThrows(SocketTimeoutException.class, in::fill);
        in.waitAtMost(Duration.ZERO);
        socket.incoming.add("later".getBytes(StandardCharsets.US_ASCII));
        byte[] target = new byte[10_000];
        assertEquals(5, in.read(target, 0, target.length));
        assertEquals(0, socket.reads.availablePermits());
    }

    @Test
    void aLostConnectionIsToldOnce() throws Exception {
        socket.incoming.add(END);
        assertThrows(EOFException.class, () -> answer(this::listen, Duration.ZERO));
        assertEquals("the connection is lost", heard.take());
        assertEquals("done", heard.take());
        assertTrue(heard.isEmpty());
    }
}
