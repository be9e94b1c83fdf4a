package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.nio.transport.TCPNIOTransportBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.time.ScheduledDeadlines;
import org.lrwp.engine.transport.Transport;
import org.lrwp.engine.transport.tls.ClientCertificates;
import org.lrwp.engine.transport.tls.TlsAcceptor;
import org.lrwp.engine.transport.tls.TlsConfig;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.tls.PeerTls;
import org.lrwp.testkit.wire.TestAuthority;
import org.lrwp.webapp.edge.Edge;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLSocket;

/** Peers inside TLS on the selector threads of the container. */
@Timeout(60)
class TlsOnContainerTest {
    private static final int SOON = 20;
    private static final int LARGE = 3_000_000;

    @TempDir private Path folder;
    private final EchoingLinks links = new EchoingLinks();
    private final ScheduledDeadlines deadlines = new ScheduledDeadlines();
    private TCPNIOTransport container;
    private Transport transport;
    private TlsAcceptor acceptor;
    private Transport.Listener port;
    private PeerTls tls;

    @BeforeEach
    void listen() throws IOException {
        container = TCPNIOTransportBuilder.newInstance().setSelectorRunnersCount(2).build();
        container.start();
        var listener = new ContainerListener("http", container, KeepAliveLimits.NONE, false, false);
        var edge = new Edge(InstantSource.system());
        transport = new ContainerTransport(List.of(listener), () -> List.of(listener), edge);
        var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var authority = new TestAuthority(folder, "ours");
        var server = authority.issue("server");
        var peer = authority.issue("peer");
        acceptor =
                new TlsAcceptor(
                        new TlsConfig(
                                any,
                                server.certificate(),
                                server.key(),
                                ClientCertificates.REQUIRED,
                                authority.certificate(),
                                null,
                                Duration.ZERO,
                                2),
                        deadlines,
                        (refused, reason) -> {});
        port = transport.listen(any, link -> links.accept(acceptor.accept(link)));
        tls = PeerTls.trusting(authority.certificate()).certificate(peer.certificate(), peer.key());
    }

    @AfterEach
    void stop() throws IOException {
        transport.close();
        acceptor.close();
        deadlines.close();
        container.shutdownNow();
        assertEquals(List.of(), links.faults);
    }

    private SSLSocket dial() throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(SOON));
        socket.connect(port.address());
        return tls.open(socket, "localhost", ProtocolVersion.LRWP_3);
    }

    @Test
    void megabytesComeBackWholeWhileTheSenderDoesNotRead() throws IOException {
        byte[] sent = new byte[LARGE];
        new Random(1).nextBytes(sent);
        try (SSLSocket socket = dial()) {
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(
                            () -> {
                                try {
                                    socket.getOutputStream().write(sent);
                                } catch (IOException e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            task -> Thread.ofVirtual().start(task));
            assertArrayEquals(sent, socket.getInputStream().readNBytes(LARGE));
            sending.orTimeout(SOON, TimeUnit.SECONDS).join();
        }
        assertNotNull(links.links.getFirst().link);
    }

    @Test
    void aChangedKeyGoesUnnoticed() throws IOException {
        try (SSLSocket socket = dial()) {
            socket.startHandshake();
            socket.getOutputStream().write(new byte[] {1, 2, 3});
            assertArrayEquals(new byte[] {1, 2, 3}, socket.getInputStream().readNBytes(3));
        }
    }

    @Test
    void theEndOfTheConnectionIsSeen() throws IOException, InterruptedException {
        try (SSLSocket socket = dial()) {
            socket.getOutputStream().write(1);
            assertEquals(1, socket.getInputStream().read());
        }
        assertTrue(links.links.getFirst().ended.await(SOON, TimeUnit.SECONDS));
    }
}
