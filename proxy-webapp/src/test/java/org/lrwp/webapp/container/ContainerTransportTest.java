package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.glassfish.grizzly.IOStrategy;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.nio.transport.TCPNIOTransportBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.Transport;
import org.lrwp.webapp.edge.Edge;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Peers on a real transport of the container, with its selector threads. */
@Timeout(30)
class ContainerTransportTest {
    private static final int SOON = 10;
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final EchoingLinks links = new EchoingLinks();
    private final AtomicReference<@Nullable ContainerListener> running = new AtomicReference<>();
    private TCPNIOTransport container = newContainer();
    private IOStrategy before = container.getIOStrategy();
    private @Nullable Transport opened;
    private Transport.@Nullable Listener port;

    private static TCPNIOTransport newContainer() {
        try {
            TCPNIOTransport made =
                    TCPNIOTransportBuilder.newInstance().setSelectorRunnersCount(2).build();
            made.start();
            return made;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Transport transport() {
        return Objects.requireNonNull(opened);
    }

    @BeforeEach
    void attach() throws IOException {
        before = container.getIOStrategy();
        var listener = new ContainerListener("http", container, KeepAliveLimits.NONE, false, false);
        running.set(listener);
        opened =
                new ContainerTransport(
                        List.of(listener),
                        () -> Stream.ofNullable(running.get()).toList(),
                        new Edge(InstantSource.system()));
        port = transport().listen(ANY, links);
    }

    @AfterEach
    void stop() throws IOException {
        transport().close();
        container.shutdownNow();
        assertEquals(List.of(), links.faults);
    }

    private InetSocketAddress address() {
        Transport.Listener open = port;
        if (open == null) {
            throw new IllegalStateException("no port");
        }
        return open.address();
    }

    private Socket dial() throws IOException {
        var socket = new Socket();
        socket.setSoTimeout(SOON * 1000);
        socket.connect(address());
        return socket;
    }

    private static String ask(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return new String(
                socket.getInputStream().readNBytes(text.length()), StandardCharsets.US_ASCII);
    }

    private static void requireEnd(Socket socket) throws IOException {
        try {
            assertEquals(-1, socket.getInputStream().read());
        } catch (java.net.SocketException reset) {
            assertTrue(socket.isConnected());
        }
    }

    @Test
    void eachLoopFindsItselfAndOtherThreadsNone() throws Exception {
        try (Socket one = dial()) {
            assertEquals("hello", ask(one, "hello"));
            var ran = new CompletableFuture<Boolean>();
            links.links
                    .getFirst()
                    .link
                    .execute(
                            () -> {
                                Executor here = transport().here();
                                if (here == null) {
                                    ran.complete(false);
                                } else {
                                    Thread loop = Thread.currentThread();
                                    here.execute(
                                            () ->
                                                    ran.complete(
                                                            Thread.currentThread().equals(loop)));
                                }
                            });
            assertTrue(ran.get(SOON, TimeUnit.SECONDS));
        }
        assertNull(transport().here());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertTrue(latch.await(SOON, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Or a connection would write after each task of another thread. */
    @Test
    void whatTheLoopGivesItselfComesBehindWhatOthersHaveGiven() throws Exception {
        try (Socket one = dial()) {
            assertEquals("hello", ask(one, "hello"));
            Link link = links.links.getFirst().link;
            List<String> ran = new CopyOnWriteArrayList<>();
            var given = new CountDownLatch(1);
            var end = new CompletableFuture<Boolean>();
            link.execute(
                    () -> {
                        ran.add("first");
                        link.execute(
                                () -> {
                                    ran.add("its own");
                                    end.complete(true);
                                });
                        awaitQuietly(given);
                    });
            link.execute(() -> ran.add("second"));
            link.execute(() -> ran.add("third"));
            given.countDown();

            assertTrue(end.get(SOON, TimeUnit.SECONDS));
            assertEquals(List.of("first", "second", "third", "its own"), ran);
        }
    }

    @Test
    void peersAreServedOnTheContainersThreads() throws Exception {
        try (Socket one = dial();
                Socket two = dial()) {
            assertEquals("hello", ask(one, "hello"));
            assertEquals("world", ask(two, "world"));
            assertEquals("again", ask(one, "again"));
        }
        assertEquals("container http", transport().status().kind());
        assertEquals("", transport().status().reason());
        assertTrue(transport().status().listening());
    }

    @Test
    void slowReaderGetsAllAndHoldsNobodyUp() throws Exception {
        byte[] much = new byte[8 << 20];
        new Random(7).nextBytes(much);
        for (int i = 0; i < much.length; i++) {
            much[i] = (byte) ('a' + (much[i] & 15));
        }
        try (Socket slow = dial();
                Socket other = dial();
                Socket third = dial()) {
            Thread writer =
                    Thread.ofPlatform()
                            .daemon()
                            .start(
                                    () -> {
                                        try {
                                            slow.getOutputStream().write(much);
                                        } catch (IOException e) {
                                            links.faults.add("write failed");
                                        }
                                    });
            // Two connections, as there are two selector threads.
            assertEquals("a", ask(other, "a"));
            assertEquals("b", ask(third, "b"));
            assertArrayEquals(much, slow.getInputStream().readNBytes(much.length));
            writer.join();
        }
    }

    @Test
    void faultOfOnePeerIsItsOwn() throws Exception {
        try (Socket one = dial();
                Socket two = dial();
                Socket three = dial()) {
            one.getOutputStream().write('!');
            assertEquals("fine", ask(two, "fine"));
            assertEquals("fine", ask(three, "fine"));
        }
    }

    @Test
    void peersThatLeaveAreSeen() throws Exception {
        try (Socket one = dial()) {
            assertEquals("a", ask(one, "a"));
        }
        assertTrue(links.links.getFirst().ended.await(SOON, TimeUnit.SECONDS));
    }

    @Test
    void portThatIsTakenIsAFault() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var address = (InetSocketAddress) taken.getLocalSocketAddress();
            assertThrows(IOException.class, () -> transport().listen(address, links));
        }
        try (Socket one = dial()) {
            assertEquals("a", ask(one, "a"));
        }
    }

    @Test
    void closingGivesTheContainerBackAsItWas() throws Exception {
        try (Socket one = dial()) {
            assertEquals("a", ask(one, "a"));
            assertInstanceOfLazy();

            transport().close();
            transport().close();

            requireEnd(one);
            assertSame(before, container.getIOStrategy());
            assertThrows(IOException.class, () -> dial().close());
            assertFalse(transport().status().listening());
            assertEquals(0, container.getMonitoringConfig().getProbes().length);
        }
    }

    private void assertInstanceOfLazy() {
        assertTrue(container.getIOStrategy() instanceof LazyStrategy);
    }

    @Test
    void closedPortKeepsItsConnections() throws Exception {
        try (Socket one = dial()) {
            assertEquals("a", ask(one, "a"));
            Transport.Listener open = port;
            assertTrue(open != null);
            open.close();

            assertThrows(IOException.class, () -> dial().close());
            assertEquals("b", ask(one, "b"));
        }
    }

    @Test
    void restartOfTheContainersListenerIsSurvived() throws Exception {
        InetSocketAddress first = address();
        try (Socket old = dial()) {
            assertEquals("a", ask(old, "a"));
            EchoingLinks.Echo echo = links.links.getFirst();

            restart();

            requireEnd(old);
            assertTrue(echo.ended.await(SOON, TimeUnit.SECONDS));
            requireTaskRuns(echo.link);
        }
        awaitListening();
        assertEquals(first, address());
        assertEquals(1, transport().status().restarts());
        assertInstanceOfLazy();
        try (Socket again = dial()) {
            assertEquals("back", ask(again, "back"));
        }
    }

    /** What is given to a loop whose thread the container has ended runs all the same. */
    private static void requireTaskRuns(Link link) throws InterruptedException {
        var ran = new CountDownLatch(2);
        link.execute(ran::countDown);
        link.execute(ran::countDown);
        assertTrue(ran.await(SOON, TimeUnit.SECONDS));
    }

    private void restart() throws IOException {
        running.set(null);
        container.shutdownNow();
        container = newContainer();
        before = container.getIOStrategy();
        running.set(new ContainerListener("http", container, KeepAliveLimits.NONE, false, false));
    }

    private void awaitListening() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SOON);
        while (!(transport().status().listening() && transport().status().restarts() > 0)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("the port did not come back");
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void closeWhileTheContainersListenerIsAwayEndsTheSearch() throws Exception {
        running.set(null);
        container.shutdownNow();

        transport().close();

        assertFalse(transport().status().listening());
        assertEquals(0, transport().status().restarts());
    }

    @Test
    void withoutContainerOwnSelectorsServe() throws Exception {
        try (Transport own = PeerTransports.open(1, new Edge(InstantSource.system()))) {
            assertEquals("own", own.status().kind());
            assertEquals("no HTTP listener runs", own.status().reason());
            own.listen(ANY, links);
        }
    }
}
