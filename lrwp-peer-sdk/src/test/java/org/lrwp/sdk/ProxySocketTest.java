package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.tls.OwnCertificate;
import org.lrwp.sdk.tls.PeerTls;
import org.lrwp.testkit.wire.TestAuthority;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The ends of connections, over real sockets. */
@Timeout(60)
final class ProxySocketTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final byte[] OK = {'O', 'K'};
    private static final String AHEAD = "OK, the proxy closed the connection";

    @TempDir private Path folder;

    /** How a proxy inside TLS ends its connection. */
    private interface End {
        void of(Socket carrier, SSLSocket inside) throws IOException;
    }

    /** What is asked of a connection. */
    private interface Use<T> {
        T of(ProxySocket socket) throws Exception;
    }

    /** A proxy that says OK inside TLS, and what a peer reads behind it. */
    private int readBehindOk(End end) throws Exception {
        return insideTls(
                end,
                socket -> {
                    assertEquals("OK", ok(socket));
                    return socket.input().read();
                });
    }

    private <T> T insideTls(End end, Use<T> use) throws Exception {
        var authority = new TestAuthority(folder, "authority");
        TestAuthority.Issued issued = authority.issue("proxy");
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                OwnCertificate.read(issued.certificate(), issued.key()).keyManagers(), null, null);
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread proxy = Thread.ofVirtual().start(() -> serve(server, context, end));
            try (ProxySocket socket = TcpSocket.fresh(true)) {
                socket.connect(server.getLocalSocketAddress(), PATIENCE);
                socket.waitAtMost(PATIENCE);
                ProxySocket inside =
                        socket.secured(
                                PeerTls.trusting(authority.certificate()),
                                "localhost",
                                ProtocolVersion.LRWP_1);
                return use.of(inside);
            } finally {
                proxy.join();
            }
        }
    }

    private static void serve(ServerSocket server, SSLContext context, End end) {
        try (Socket carrier = server.accept();
                var inside =
                        (SSLSocket)
                                context.getSocketFactory().createSocket(carrier, null, 0, false)) {
            inside.setUseClientMode(false);
            inside.getOutputStream().write(OK);
            end.of(carrier, inside);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anEndInsideTlsIsTheEndWhenTlsSaysSo() throws Exception {
        assertEquals(-1, readBehindOk((carrier, inside) -> inside.close()));
    }

    @Test
    void aConnectionThatIsCutInsideTlsHasNotEnded() {
        var cut =
                assertThrows(
                        IOException.class,
                        () -> readBehindOk((carrier, inside) -> carrier.shutdownOutput()));
        assertTrue(String.valueOf(cut.getMessage()).contains("close_notify"), cut::toString);
    }

    @Test
    void theCertificateOfTheProxyIsKnownInsideTlsOnly() throws IOException {
        try (ProxySocket plain = TcpSocket.fresh(false);
                ProxySocket unix = new UnixSocket()) {
            assertEquals(0, plain.certificateHash().length);
            assertEquals(0, unix.certificateHash().length);
        }
    }

    @Test
    void aUnixSocketCarriesBytesBothWaysAndEachEndAlone() throws Exception {
        try (ServerSocketChannel server = server();
                ProxySocket socket = new UnixSocket()) {
            socket.connect(address(), PATIENCE);
            try (SocketChannel proxy = server.accept()) {
                socket.output().write(OK);
                assertFalse(socket.isOutputShutdown());
                socket.shutdownOutput();
                assertTrue(socket.isOutputShutdown());
                ByteBuffer got = ByteBuffer.allocate(10);
                while (proxy.read(got) >= 0) {
                    // To the end.
                }
                assertEquals(2, got.position());
                proxy.write(got.flip());
                socket.waitAtMost(PATIENCE);
                assertEquals("OK", ok(socket));
            }
            assertEquals(-1, socket.input().read());
        }
    }

    @Test
    void silenceAtAUnixSocketEnds() throws IOException {
        try (ServerSocketChannel server = server();
                ProxySocket socket = new UnixSocket()) {
            socket.connect(address(), PATIENCE);
            assertTrue(server.isOpen());
            socket.waitAtMost(Duration.ofMillis(20));
            assertThrows(SocketTimeoutException.class, () -> socket.input().read());
        }
    }

    /** Reads ahead, writes meanwhile, and returns what was read and why no more comes. */
    private static String ahead(ProxySocket socket) throws Exception {
        FrameInput in = new FrameInput(socket);
        CompletableFuture<IOException> lost = new CompletableFuture<>();
        in.waitAtMost(Duration.ofMillis(1));
        in.readAhead(lost::complete);
        assertTrue(in.fill());
        String text = StandardCharsets.US_ASCII.decode(in.arrived()).toString();
        in.readAhead(lost::complete);
        socket.output().write(OK);
        String reason = String.valueOf(lost.get().getMessage());
        assertTrue(in.isAhead());
        return text + ", " + reason;
    }

    @Test
    void theEndIsSeenAheadWhileTheOtherDirectionIsWritten() throws Exception {
        try (ServerSocketChannel server = server();
                ProxySocket socket = new UnixSocket()) {
            assertEquals(AHEAD, ahead(server, socket));
        }
        try (ServerSocketChannel server = ServerSocketChannel.open();
                ProxySocket socket = TcpSocket.fresh(false)) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertEquals(AHEAD, ahead(server, socket));
        }
    }

    private static String ahead(ServerSocketChannel server, ProxySocket socket) throws Exception {
        socket.connect(server.getLocalAddress(), PATIENCE);
        try (SocketChannel proxy = server.accept()) {
            proxy.write(ByteBuffer.wrap(OK));
            FutureTask<String> seen = new FutureTask<>(() -> ahead(socket));
            Thread.ofVirtual().start(seen);
            assertEquals(1, proxy.read(ByteBuffer.allocate(1)));
            proxy.shutdownOutput();
            return seen.get();
        }
    }

    @Test
    void theEndIsSeenAheadInsideTls() throws Exception {
        assertEquals(
                AHEAD,
                insideTls(
                        (carrier, inside) -> {
                            assertEquals('O', inside.getInputStream().read());
                            inside.shutdownOutput();
                        },
                        ProxySocketTest::ahead));
    }

    @Test
    void aUnixSocketKnowsNoTls() throws IOException {
        try (ProxySocket socket = new UnixSocket()) {
            var tls = PeerTls.trusting(folder);
            assertThrows(IOException.class, () -> socket.secured(tls, "x", ProtocolVersion.LRWP_3));
        }
    }

    private static String ok(ProxySocket socket) throws IOException {
        return new String(socket.input().readNBytes(2), StandardCharsets.US_ASCII);
    }

    private UnixDomainSocketAddress address() {
        return UnixDomainSocketAddress.of(folder.resolve("proxy.sock"));
    }

    private ServerSocketChannel server() throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(address());
        return server;
    }
}
