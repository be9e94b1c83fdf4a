package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http2.Http2AddOn;
import org.glassfish.grizzly.http2.Http2Configuration;
import org.glassfish.grizzly.http2.Http2Stream;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.utils.DelayedExecutor;
import org.glassfish.grizzly.utils.IdleTimeoutFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Requests of HTTP/2 whose answers take longer than a client may be silent. */
@Timeout(60)
class Http2StreamsTest {
    private static final int SOON = 10;
    private static final long SHORT = Duration.ofSeconds(20).toMillis();
    private static final byte[] PREFACE = Bytes.of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    private static final byte[] SETTINGS = Http2Bytes.frame(4, 0, 0, 0);
    private static final byte[] HEAD = {(byte) 0x82, (byte) 0x86, (byte) 0x84, 1, 1, 'a'};
    private static final byte[] REQUEST = Http2Bytes.frame(1, 5, 1, HEAD);

    private final HttpServer server = new HttpServer();
    private final NetworkListener http = new NetworkListener("http", "127.0.0.1", 0);
    private final BlockingQueue<BooleanSupplier> looks = new LinkedBlockingQueue<>();
    private final BlockingQueue<Request> asked = new LinkedBlockingQueue<>();
    private final Http2Watch watch =
            new Http2Watch(
                    0,
                    () -> Duration.ofMinutes(1),
                    () -> Duration.ofMinutes(1),
                    () -> 1000,
                    () -> 0,
                    looks::add);

    @BeforeEach
    void setUp() throws IOException {
        http.registerAddOn(new Http2AddOn(Http2Configuration.builder().build()));
        server.addListener(http);
        server.getServerConfiguration()
                .addHttpHandler(
                        new HttpHandler() {
                            @Override
                            public void service(Request request, Response response) {
                                response.suspend();
                                asked.add(request);
                            }
                        },
                        "/");
        server.start();
    }

    @AfterEach
    void tearDown() {
        server.shutdownNow();
    }

    @SuppressWarnings("rawtypes") // As the container has them.
    private static DelayedExecutor.Resolver<Connection> times(NIOConnection connection) {
        var filters = (FilterChain) connection.getProcessor();
        int place = filters.indexOfType(IdleTimeoutFilter.class);
        return ((IdleTimeoutFilter) filters.get(place)).getResolver();
    }

    @Test
    @SuppressWarnings({"rawtypes", "deprecation"}) // Streams have no other listener.
    void aClientThatWaitsForItsAnswerIsNotSilent() throws Exception {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), http.getPort())) {
            client.getOutputStream().write(Bytes.join(PREFACE, SETTINGS, REQUEST));
            Request request = asked.poll(SOON, TimeUnit.SECONDS);
            assertNotNull(request);
            var connection = (NIOConnection) request.getContext().getConnection();
            Http2Stream stream = Http2Stream.getStreamFor(request.getRequest());
            Http2Streams.of(connection, watch).onDeparture(stream, () -> {});
            BooleanSupplier look = looks.poll(SOON, TimeUnit.SECONDS);
            assertNotNull(look);
            DelayedExecutor.Resolver<Connection> times = times(connection);
            long soon = System.currentTimeMillis() + SHORT;
            times.setTimeoutMillis(connection, soon);

            assertTrue(look.getAsBoolean());
            assertTrue(times.getTimeoutMillis(connection) > soon);

            var ended = new CountDownLatch(1);
            stream.addCloseListener((closed, type) -> ended.countDown());
            request.getResponse().resume();
            assertTrue(ended.await(SOON, TimeUnit.SECONDS));
            times.setTimeoutMillis(connection, soon);
            assertTrue(look.getAsBoolean());
            assertEquals(soon, times.getTimeoutMillis(connection));
        }
    }
}
