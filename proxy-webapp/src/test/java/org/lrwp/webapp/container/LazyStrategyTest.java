package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.ConnectionProbe;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.IOStrategy;
import org.glassfish.grizzly.ReadHandler;
import org.glassfish.grizzly.http.io.NIOInputStream;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.HttpServerFilter;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.threadpool.Threads;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.engine.transport.Transport;
import org.lrwp.webapp.edge.Edge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients of a real HTTP listener whose requests are handled on its selector threads. */
@Timeout(30)
class LazyStrategyTest {
    private static final int SOON = 10;

    private final HttpServer server = new HttpServer();
    private final NetworkListener http = new NetworkListener("http", "127.0.0.1", 0);
    private final Pending handler = new Pending();
    private final AtomicInteger switchedOff = new AtomicInteger();
    private final AtomicInteger entrances = new AtomicInteger();
    private IOStrategy before = http.getTransport().getIOStrategy();
    private @Nullable Transport opened;

    /** Reads the body as it arrives, and answers with it when it is told to. */
    private static final class Pending extends HttpHandler {
        final BlockingQueue<Runnable> answers = new LinkedBlockingQueue<>();
        final BlockingQueue<String> threads = new LinkedBlockingQueue<>();
        final CountDownLatch holding = new CountDownLatch(1);
        final CountDownLatch held = new CountDownLatch(1);

        @Override
        public void service(Request request, Response response) {
            threads.add(Thread.currentThread().getName());
            if (request.getRequestURI().startsWith("/peer-hold")) {
                hold();
            }
            if (request.getRequestURI().startsWith("/peer-like-http2")) {
                Threads.setService(false);
            }
            if (request.getRequestURI().startsWith("/throw")) {
                throw new IllegalStateException("planted");
            }
            response.suspend();
            NIOInputStream in = request.getNIOInputStream();
            var body = new ByteArrayOutputStream();
            in.notifyAvailable(
                    new ReadHandler() {
                        @Override
                        public void onDataAvailable() throws Exception {
                            body.write(in.readNBytes(in.available()));
                            in.notifyAvailable(this);
                        }

                        @Override
                        public void onAllDataRead() throws Exception {
                            body.write(in.readNBytes(in.available()));
                            answers.add(() -> answer(request, response, body));
                        }

                        @Override
                        public void onError(Throwable fault) {
                            answers.add(() -> {});
                        }
                    });
        }

        private void hold() {
            try {
                holding.countDown();
                assertTrue(held.await(SOON, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private static void answer(Request request, Response response, ByteArrayOutputStream body) {
            try {
                byte[] text =
                        (request.getRequestURI() + " " + body.size() + "\n")
                                .getBytes(StandardCharsets.US_ASCII);
                response.setContentLength(text.length);
                response.getOutputStream().write(text);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            response.resume();
        }

        Runnable next() throws InterruptedException {
            Runnable answer = answers.poll(SOON, TimeUnit.SECONDS);
            if (answer == null) {
                throw new AssertionError("no request came");
            }
            return answer;
        }
    }

    private Transport transport() {
        return Objects.requireNonNull(opened);
    }

    @BeforeEach
    void start() throws IOException {
        TCPNIOTransport container = http.getTransport();
        container.setSelectorRunnersCount(1);
        container
                .getConnectionMonitoringConfig()
                .addProbes(
                        new ConnectionProbe.Adapter() {
                            @Override
                            @SuppressWarnings("rawtypes") // As the interface has it.
                            public void onIOEventReadyEvent(Connection connection, IOEvent event) {
                                entrances.addAndGet(event == IOEvent.SERVER_ACCEPT ? 1 : 0);
                            }

                            @Override
                            @SuppressWarnings("rawtypes") // As the interface has it.
                            public void onIOEventDisableEvent(
                                    Connection connection, IOEvent event) {
                                switchedOff.addAndGet(event == IOEvent.READ ? 1 : 0);
                            }
                        });
        server.addListener(http);
        server.start();
        HttpServerFilter filter = filter(container);
        filter.setHttpHandler(
                new TargetGuard(
                        handler,
                        target -> target,
                        this,
                        request -> request.getRequestURI().startsWith("/peer"),
                        request -> false));
        before = container.getIOStrategy();
        opened = attach(new Edge(InstantSource.system()));
    }

    private Transport attach(ClientReaders readers) {
        TCPNIOTransport container = http.getTransport();
        var listener = new ContainerListener("http", container, KeepAliveLimits.NONE, false, false);
        return new ContainerTransport(List.of(listener), List::of, readers);
    }

    private static HttpServerFilter filter(TCPNIOTransport container) {
        var chain = (org.glassfish.grizzly.filterchain.FilterChain) container.getProcessor();
        return (HttpServerFilter) chain.get(chain.indexOfType(HttpServerFilter.class));
    }

    @AfterEach
    void stop() {
        transport().close();
        server.shutdownNow();
    }

    private Socket client() throws IOException {
        var socket = new Socket();
        socket.setSoTimeout(SOON * 1000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), http.getPort()));
        return socket;
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String post(String path, int length) {
        return "POST " + path + " HTTP/1.1\r\nHost: a:1\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private static String line(Socket client) throws IOException {
        var text = new StringBuilder();
        for (int c = client.getInputStream().read(); c >= 0 && c != '\n'; ) {
            text.append((char) c);
            c = client.getInputStream().read();
        }
        return text.toString().strip();
    }

    private static String answer(Socket client) throws IOException {
        String status = line(client);
        String head = status;
        while (!head.isEmpty()) {
            head = line(client);
        }
        return status.contains("200") ? line(client) : status;
    }

    @Test
    void requestsOneByOneNeverSwitchReadingOff() throws Exception {
        try (Socket client = client()) {
            for (int i = 0; i < 20; i++) {
                send(client, get("/peer" + i));
                handler.next().run();
                assertEquals("/peer" + i + " 0", answer(client));
            }
        }
        assertEquals(0, switchedOff.get());
        assertTrue(
                handler.threads.stream().allMatch(name -> name.contains("SelectorRunner")),
                handler.threads::toString);
    }

    @Test
    void clientsThatWaitTogetherAreLetInTogether() throws Exception {
        var newcomers = new ArrayList<Socket>();
        try (Socket busy = client()) {
            send(busy, get("/peer-hold"));
            assertTrue(handler.holding.await(SOON, TimeUnit.SECONDS));
            int rounds = entrances.get();
            for (int i = 0; i < 20; i++) {
                Socket newcomer = client();
                newcomers.add(newcomer);
                send(newcomer, get("/peer" + i));
            }
            handler.held.countDown();
            for (int i = 0; i <= newcomers.size(); i++) {
                handler.next().run();
            }
            for (int i = 0; i < newcomers.size(); i++) {
                assertEquals("/peer" + i + " 0", answer(newcomers.get(i)));
            }
            assertEquals(1, entrances.get() - rounds);
        } finally {
            for (Socket newcomer : newcomers) {
                newcomer.close();
            }
        }
    }

    /** Remembers who could have read a connection, and leaves it to the container. */
    private static final class Asked extends NoReaders {
        final AtomicInteger times = new AtomicInteger();

        @Override
        public @Nullable ClientReader of(
                NIOConnection connection,
                RunnerLoop loop,
                LazyReads reads,
                ContainerListener listener) {
            times.incrementAndGet();
            return null;
        }
    }

    @Test
    void aConnectionThatIsOlderStaysTheContainersAsItMayBeAmidARequest() throws Exception {
        transport().close();
        var readers = new Asked();
        try (Socket client = client()) {
            send(client, post("/file", 6) + "abc");
            assertNotNull(handler.threads.poll(SOON, TimeUnit.SECONDS));
            opened = attach(readers);
            send(client, "def");
            handler.next().run();
            assertEquals("/file 6", answer(client));
            send(client, get("/file"));
            handler.next().run();
            assertEquals("/file 0", answer(client));
            assertEquals(0, readers.times.get());
        }
        try (Socket client = client()) {
            send(client, get("/file"));
            handler.next().run();
            assertEquals("/file 0", answer(client));
            assertEquals(1, readers.times.get());
        }
    }

    @Test
    void requestsOfOthersRunOnWorkerThreads() throws Exception {
        try (Socket client = client()) {
            for (String path : new String[] {"/peer-like-http2", "/file"}) {
                send(client, get(path));
                handler.next().run();
                assertEquals(path + " 0", answer(client));
            }
        }
        assertTrue(String.valueOf(handler.threads.poll()).contains("SelectorRunner"));
        assertTrue(
                handler.threads.stream().noneMatch(name -> name.contains("SelectorRunner")),
                handler.threads::toString);
    }

    @Test
    void requestThatComesWhileOneIsPendingWaitsForIt() throws Exception {
        for (String path : new String[] {"/peer", "/file"}) {
            try (Socket client = client()) {
                send(client, get(path + "1"));
                Runnable first = handler.next();
                send(client, get(path + "2"));
                awaitSwitchedOff();
                assertEquals(0, handler.answers.size());

                first.run();
                assertEquals(path + "1 0", answer(client));
                handler.next().run();
                assertEquals(path + "2 0", answer(client));
                send(client, get(path + "3"));
                handler.next().run();
                assertEquals(path + "3 0", answer(client));
            }
        }
    }

    private void awaitSwitchedOff() {
        int seen = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SOON);
        while (seen == 0) {
            seen = switchedOff.getAndSet(0);
            assertTrue(System.nanoTime() < end, "reading was never switched off");
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
        try (Socket client = client()) {
            send(client, post("/peer1", 3) + "abc" + get("/peer2") + post("/file3", 2) + "ab");
            for (String expected : new String[] {"/peer1 3", "/peer2 0", "/file3 2"}) {
                handler.next().run();
                assertEquals(expected, answer(client));
            }
        }
    }

    @Test
    void bodyInManySegmentsArrivesWhole() throws Exception {
        int length = 3000;
        try (Socket client = client();
                Socket other = client()) {
            send(client, post("/peer", length));
            for (int sent = 0; sent < length; sent += 100) {
                send(client, "x".repeat(100));
                if (sent % 1000 == 0) {
                    // A round trip, so that the segments do not arrive together.
                    send(other, get("/peer-other"));
                    handler.next().run();
                    assertEquals("/peer-other 0", answer(other));
                }
            }
            handler.next().run();
            assertEquals("/peer " + length, answer(client));
            send(client, get("/peer"));
            handler.next().run();
            assertEquals("/peer 0", answer(client));
        }
    }

    @Test
    void handlerThatThrowsCostsItsRequestOnly() throws Exception {
        try (Socket client = client();
                Socket other = client()) {
            send(other, get("/peer-other"));
            Runnable pending = handler.next();
            send(client, get("/throw"));
            assertTrue(answer(client).contains("500"));
            pending.run();
            assertEquals("/peer-other 0", answer(other));
        }
    }

    @Test
    void requestThatIsPendingWhenTheStrategyGoesIsNotDisturbed() throws Exception {
        try (Socket client = client()) {
            send(client, get("/peer1"));
            Runnable first = handler.next();
            transport().close();
            assertSame(before, http.getTransport().getIOStrategy());
            send(client, get("/peer2"));
            first.run();

            assertEquals("/peer1 0", answer(client));
            handler.next().run();
            assertEquals("/peer2 0", answer(client));
        }
    }
}
