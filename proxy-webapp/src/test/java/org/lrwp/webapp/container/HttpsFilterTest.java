package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.nio.transport.TCPNIOBindingHandler;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.nio.transport.TCPNIOTransportBuilder;
import org.glassfish.grizzly.ssl.SSLFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.transport.tls.ClientCertificates;
import org.lrwp.sdk.tls.PemFile;
import org.lrwp.testkit.wire.TestAuthority;
import org.lrwp.webapp.config.HttpsConfig;
import org.lrwp.webapp.https.HttpsEngines;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

/** TLS of clients on the filters of a container's listener. */
@Timeout(60)
class HttpsFilterTest {
    private static final int SOON = 20;

    private static final int WIDE = 64 * 1024;
    private static final int MOST_COLLECTIONS = 20;

    /** A long record of a handshake begins. */
    private static final byte[] PART_OF_RECORD = {22, 3, 1, 0x40, 0, 1, 2, 3, 4, 5};

    @TempDir private Path folder;
    private final TCPNIOTransport container = TCPNIOTransportBuilder.newInstance().build();
    private final BlockingQueue<WeakReference<byte[]>> reads = new LinkedBlockingQueue<>();
    private final Told told = new Told();
    private HttpsEngines engines;
    private SSLContext trusting;
    private InetSocketAddress port;

    /** Reads into buffers that are much wider than what comes, as the container does. */
    private final class WideReads extends BaseFilter {
        @Override
        public NextAction handleRead(FilterChainContext run) {
            Buffer come = run.getMessage();
            byte[] wide = new byte[WIDE];
            int count = come.remaining();
            come.get(wide, 0, count);
            run.setMessage(Buffers.wrap(run.getMemoryManager(), wide, 0, count));
            reads.add(new WeakReference<>(wide));
            return run.getInvokeAction();
        }
    }

    /** Hears how handshakes end. */
    private static final class Told extends NoReaders {
        private final BlockingQueue<String> reasons = new LinkedBlockingQueue<>();

        @Override
        public void handshakeDone() {
            reasons.add("done");
        }

        @Override
        public void handshakeRefused(String client, String reason) {
            reasons.add(client + ": " + reason);
        }

        String next() throws InterruptedException {
            return requireNonNull(reasons.poll(SOON, TimeUnit.SECONDS));
        }
    }

    @BeforeEach
    void listen() throws Exception {
        var authority = new TestAuthority(folder, "ours");
        var server = authority.issue("server");
        engines =
                HttpsEngines.open(
                        new HttpsConfig(
                                InetAddress.getLoopbackAddress(),
                                1,
                                server.certificate(),
                                server.key(),
                                ClientCertificates.NONE,
                                null,
                                null,
                                null,
                                1,
                                1),
                        InstantSource.system());
        trusting = SSLContext.getInstance("TLS");
        trusting.init(null, PemFile.trust(authority.certificate()).getTrustManagers(), null);
        container.start();
        FilterChain plain = FilterChainBuilder.stateless().add(new TransportFilter()).build();
        var clients = new ClientTls(engines::engine, engines::check, engines.turns());
        var handshakes = new HandshakeWatch(told);
        FilterChainBuilder secure =
                FilterChainBuilder.stateless()
                        .addAll(HttpsFilter.before(plain, clients, handshakes));
        secure.add(secure.indexOfType(SSLFilter.class), new WideReads());
        port =
                (InetSocketAddress)
                        TCPNIOBindingHandler.builder(container)
                                .processor(secure.build())
                                .build()
                                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                                .getLocalAddress();
    }

    @AfterEach
    void stop() throws IOException {
        container.shutdownNow();
        engines.close();
    }

    private Socket dial() throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(SOON));
        socket.setTcpNoDelay(true);
        socket.connect(port);
        return socket;
    }

    @Test
    void bytesOfARecordThatComeAloneKeepNoWideBuffers() throws Exception {
        List<WeakReference<byte[]>> before = new ArrayList<>();
        try (Socket client = dial()) {
            for (byte one : PART_OF_RECORD) {
                client.getOutputStream().write(one);
                before.add(requireNonNull(reads.poll(SOON, TimeUnit.SECONDS)));
            }
            // The last one may still be in the hands of the thread that has read.
            before.removeLast();
            for (int i = 0; i < MOST_COLLECTIONS && isKept(before); i++) {
                System.gc();
            }
            assertFalse(isKept(before));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
            })
    void aClientThatSpeaksPlainHttpIsTold(String request) throws Exception {
        try (Socket client = dial()) {
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            if (request.startsWith("POST")) {
                client.getOutputStream().write(new byte[100_000]);
            }
            byte[] all = client.getInputStream().readAllBytes();
            String answer = new String(all, StandardCharsets.US_ASCII);
            assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
            assertTrue(answer.contains("\r\n\r\nThis port speaks HTTPS."), answer);
            assertEquals("127.0.0.1: the client speaks plain HTTP on the HTTPS port", told.next());
        }
    }

    @Test
    void aClientThatSpeaksSomethingElseIsClosed() throws Exception {
        try (Socket client = dial()) {
            client.getOutputStream().write("HELO there\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals(0, client.getInputStream().readAllBytes().length);
            assertEquals("127.0.0.1: the client does not speak TLS", told.next());
        }
    }

    @Test
    void howAHandshakeEndsIsToldOnceUnlessTheClientHasSaidNothing() throws Exception {
        try (Socket silent = dial()) {
            silent.shutdownOutput();
            assertEquals(-1, silent.getInputStream().read());
        }
        try (Socket client = dial()) {
            client.getOutputStream().write(PART_OF_RECORD);
            requireNonNull(reads.poll(SOON, TimeUnit.SECONDS));
        }
        assertEquals("127.0.0.1: the client left amid the handshake", told.next());
        try (Socket plain = dial();
                var client =
                        (SSLSocket)
                                trusting.getSocketFactory()
                                        .createSocket(plain, "localhost", port.getPort(), true)) {
            client.startHandshake();
            assertEquals("done", told.next());
        }
        try (Socket plain = dial();
                var client =
                        (SSLSocket)
                                SSLContext.getDefault()
                                        .getSocketFactory()
                                        .createSocket(plain, "localhost", port.getPort(), true)) {
            assertThrows(SSLHandshakeException.class, client::startHandshake);
        }
        assertTrue(told.next().contains("Received fatal alert: "));
        assertTrue(told.reasons.isEmpty());
    }

    private static boolean isKept(List<WeakReference<byte[]>> some) {
        return some.stream().anyMatch(one -> one.get() != null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientOfAnotherProtocolIsToldWhy(String version) throws IOException {
        try (Socket plain = dial();
                SSLSocket client =
                        (SSLSocket)
                                trusting.getSocketFactory()
                                        .createSocket(plain, "localhost", port.getPort(), true)) {
            var parameters = client.getSSLParameters();
            parameters.setProtocols(new String[] {version});
            parameters.setApplicationProtocols(new String[] {"h2"});
            client.setSSLParameters(parameters);
            var fault = assertThrows(SSLHandshakeException.class, client::startHandshake);
            assertTrue(String.valueOf(fault.getMessage()).contains("no_application_protocol"));
        }
    }
}
