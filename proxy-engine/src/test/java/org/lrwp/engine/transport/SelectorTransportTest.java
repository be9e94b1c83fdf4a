package org.lrwp.engine.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The engine's own transport, on loopback sockets. */
@Timeout(60)
class SelectorTransportTest {
    private static final long PATIENCE_SECONDS = 20;

    private final SelectorTransport transport;
    private final Transport.Listener listener;
    private final BlockingQueue<EchoingOwner> owners = new LinkedBlockingQueue<>();

    SelectorTransportTest() throws IOException {
        transport = new SelectorTransport(2);
        listener = listen();
    }

    private Transport.Listener listen() throws IOException {
        var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return transport.listen(
                any,
                link -> {
                    var owner = new EchoingOwner(link);
                    link.events(owner);
                    owners.add(owner);
                });
    }

    @BeforeEach
    void itListens() {
        assertTrue(listener.address().getPort() > 0);
    }

    @AfterEach
    void close() {
        transport.close();
    }

    /** Sends back what it reads, as the link takes it. */
    private static final class EchoingOwner implements LinkEvents {
        private final Link link;
        private final Set<String> threads = new HashSet<>();
        private final CountDownLatch ended = new CountDownLatch(1);
        private ByteBuffer pending = ByteBuffer.allocate(0);

        EchoingOwner(Link link) {
            this.link = link;
        }

        @Override
        public void readable() {
            threads.add(Thread.currentThread().getName());
            try {
                ByteBuffer in = link.scratch();
                int count = link.read(in);
                if (count < 0) {
                    link.close();
                    ended.countDown();
                    return;
                }
                link.acknowledge();
                byte[] copy = new byte[in.flip().remaining()];
                in.get(copy);
                pending = ByteBuffer.wrap(copy);
                writable();
            } catch (IOException e) {
                link.close();
                ended.countDown();
            }
        }

        @Override
        public void writable() {
            try {
                link.write(new ByteBuffer[] {pending});
            } catch (IOException e) {
                link.close();
                ended.countDown();
                return;
            }
            link.reading(!pending.hasRemaining());
            if (pending.hasRemaining()) {
                link.awaitWritable();
            }
        }
    }

    private Socket dial() throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        socket.connect(listener.address());
        return socket;
    }

    private EchoingOwner owner() throws InterruptedException {
        EchoingOwner owner = owners.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertNotNull(owner);
        return owner;
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static String read(Socket socket, int count) throws IOException {
        return new String(socket.getInputStream().readNBytes(count), StandardCharsets.US_ASCII);
    }

    @Test
    void bytesGoBothWays() throws IOException, InterruptedException {
        try (Socket socket = dial()) {
            write(socket, "hello");
            assertEquals("hello", read(socket, 5));
            EchoingOwner owner = owner();
            assertEquals("127.0.0.1:" + socket.getLocalPort(), owner.link.remote().text());
            write(socket, "again");
            assertEquals("again", read(socket, 5));
            socket.shutdownOutput();
            assertTrue(owner.ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            assertEquals(-1, socket.getInputStream().read());
            assertEquals(1, owner.threads.size());
        }
    }

    @Test
    void eachLoopFindsItselfAndOtherThreadsNone() throws Exception {
        try (Socket socket = dial()) {
            write(socket, "x");
            assertEquals("x", read(socket, 1));
            Link link = owner().link;
            var ran = new CompletableFuture<Boolean>();
            link.execute(
                    () -> {
                        Executor here = transport.here();
                        if (here == null) {
                            ran.complete(false);
                        } else {
                            here.execute(() -> ran.complete(link.isOnLoop()));
                        }
                    });
            assertTrue(ran.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
        assertNull(transport.here());
    }

    @Test
    void aReaderThatIsSlowIsWaitedFor() throws IOException, InterruptedException {
        int size = 8_000_000;
        try (Socket socket = dial()) {
            Thread writer =
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    socket.getOutputStream().write(new byte[size]);
                                } catch (IOException e) {
                                    owners.clear();
                                }
                            });
            EchoingOwner owner = owner();
            assertEquals(size, socket.getInputStream().readNBytes(size).length);
            writer.join();
            socket.shutdownOutput();
            assertTrue(owner.ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
    }

    @Test
    void aLinkThatIsNotReadingHearsNothingUntilItDoes() throws IOException, InterruptedException {
        try (Socket socket = dial()) {
            EchoingOwner owner = owner();
            var off = new CountDownLatch(1);
            owner.link.execute(
                    () -> {
                        owner.link.reading(false);
                        off.countDown();
                    });
            assertTrue(off.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            write(socket, "hello");
            var still = new CountDownLatch(2);
            owner.link.execute(still::countDown);
            owner.link.execute(still::countDown);
            assertTrue(still.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            assertTrue(owner.threads.isEmpty());
            owner.link.execute(() -> owner.link.reading(true));
            assertEquals("hello", read(socket, 5));
        }
    }

    @Test
    void tasksOfALinkRunInOrderOnItsLoop() throws IOException, InterruptedException {
        try (Socket socket = dial()) {
            EchoingOwner owner = owner();
            assertTrue(socket.isConnected());
            BlockingQueue<Integer> order = new LinkedBlockingQueue<>();
            for (int i = 0; i < 5000; i++) {
                int number = i;
                owner.link.execute(() -> order.add(number));
            }
            for (int i = 0; i < 5000; i++) {
                assertEquals(i, order.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void aTaskThatThrowsDoesNotEndTheLoop() throws IOException, InterruptedException {
        try (Socket socket = dial()) {
            EchoingOwner owner = owner();
            owner.link.execute(
                    () -> {
                        throw new IllegalStateException("planted");
                    });
            write(socket, "hello");
            assertEquals("hello", read(socket, 5));
        }
    }

    @Test
    void theOutputCanEndBeforeTheLink() throws IOException, InterruptedException {
        try (Socket socket = dial()) {
            EchoingOwner owner = owner();
            owner.link.execute(owner.link::shutdownOutput);
            assertEquals(-1, socket.getInputStream().read());
            owner.link.execute(
                    () -> {
                        owner.link.close();
                        owner.link.close();
                        owner.link.reading(true);
                        owner.link.shutdownOutput();
                        owner.ended.countDown();
                    });
            assertTrue(owner.ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
    }

    @Test
    void aPortThatIsTakenCannotBeHad() {
        assertThrows(IOException.class, () -> transport.listen(listener.address(), link -> {}));
    }

    @Test
    void aClosedListenerRefusesAndItsLinksStay() throws IOException, InterruptedException {
        try (Socket socket = dial()) {
            EchoingOwner first = owner();
            listener.close();
            listener.close();
            // The socket is gone once its loop, which is that of the first link, has selected.
            for (int i = 0; i < 2; i++) {
                var turn = new CountDownLatch(1);
                first.link.execute(turn::countDown);
                assertTrue(turn.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            }
            write(socket, "b");
            assertEquals("b", read(socket, 1));
            assertThrows(IOException.class, this::dial);
        }
    }

    @Test
    void closingEndsAllLinksAndThreads() throws IOException, InterruptedException {
        try (Socket socket = dial()) {
            EchoingOwner owner = owner();
            write(socket, "a");
            assertEquals("a", read(socket, 1));
            transport.close();
            transport.close();
            assertEquals(-1, socket.getInputStream().read());
            assertFalse(
                    Thread.getAllStackTraces().keySet().stream()
                            .anyMatch(thread -> owner.threads.contains(thread.getName())));
        }
    }
}
