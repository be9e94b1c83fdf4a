package org.lrwp.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.transport.SelectorTransport;
import org.lrwp.engine.transport.tls.ClientCertificates;
import org.lrwp.engine.transport.tls.TestFiles;
import org.lrwp.engine.transport.tls.TlsHandshakes;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.tls.PeerTls;
import org.lrwp.testkit.wire.LogLines;
import org.lrwp.testkit.wire.TestAuthority;
import org.lrwp.testkit.wire.TestAuthority.Issued;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Peers that dial in inside TLS, on loopback: who comes in, and who does not. */
@Timeout(120)
class TlsPeersTest {
    private static final int PATIENCE_SECONDS = 20;
    private static final int HALF_HANDSHAKES = 20;
    private static final int FLOOD = 400;

    @TempDir private Path folder;
    private TestFiles files;
    private ProxyEngine engine;
    private final List<AuditEvent> audit = new CopyOnWriteArrayList<>();

    @BeforeEach
    void issue() throws IOException {
        files = new TestFiles(folder);
        engine =
                ProxyEngine.start(
                        ProxyEngineTest.config(0),
                        record -> {},
                        audit::add,
                        new SelectorTransport(1));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private int port() {
        InetSocketAddress address = engine.tlsAddress();
        assertNotNull(address);
        return address.getPort();
    }

    private PeerTls tls() {
        return PeerTls.trusting(files.authority().certificate())
                .certificate(files.peer().certificate(), files.peer().key());
    }

    private LrwpPeer peer() throws InterruptedException {
        LrwpPeer peer =
                LrwpPeer.builder()
                        .proxy("localhost:" + port())
                        .context("/osp")
                        .tls(tls())
                        .handler(
                                request ->
                                        PeerResponse.of(
                                                "text/plain", request.body().readAllBytes()))
                        .connect();
        assertTrue(peer.awaitRegistered(Duration.ofSeconds(PATIENCE_SECONDS)));
        return peer;
    }

    private AwaitingClient ask(String body) {
        return AwaitingClient.asking(engine, body);
    }

    private SSLSocket dial(SSLContext context, String... protocols) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        var inside =
                (SSLSocket)
                        context.getSocketFactory().createSocket(socket, "localhost", port(), true);
        SSLParameters parameters = inside.getSSLParameters();
        parameters.setApplicationProtocols(protocols);
        inside.setSSLParameters(parameters);
        return inside;
    }

    /** What the proxy says to a startup string. */
    private String reply(SSLContext context, String hello, int most, String... protocols)
            throws IOException {
        try (SSLSocket socket = dial(context, protocols)) {
            socket.getOutputStream().write(hello.getBytes(StandardCharsets.ISO_8859_1));
            byte[] reply = socket.getInputStream().readNBytes(most);
            return new String(reply, StandardCharsets.ISO_8859_1);
        }
    }

    private void assertRefused(@Nullable Issued shown)
            throws IOException, GeneralSecurityException {
        SSLContext context = files.client(shown);
        var refusal = assertThrows(SSLException.class, () -> reply(context, "osp\u00ff\u00ff", 2));
        assertTrue(String.valueOf(refusal.getMessage()).contains("alert"), refusal::toString);
    }

    @Test
    void aPeerOfTheSdkServesInsideTls() throws IOException, InterruptedException {
        engine.openTls(files.config(ClientCertificates.REQUIRED, null));
        LrwpPeer peer = peer();
        String large = "0123456789".repeat(15_000);
        assertEquals("200 " + large, ask(large).awaited());
        peer.close();
        assertEquals(0, engine.status().exchanges().size());
    }

    @Test
    void certificatesThatProveNothingAreRefused() throws IOException, GeneralSecurityException {
        Issued revoked = files.authority().issue("withdrawn");
        files.authority().revoke(revoked);
        Path list = files.authority().revoked();
        engine.openTls(files.config(ClientCertificates.REQUIRED, list));
        assertRefused(null);
        assertRefused(files.authority().issueExpired("expired"));
        assertRefused(revoked);
        var others = new TestAuthority(folder.resolve("others"), "others");
        assertRefused(others.issue("stranger"));
        assertEquals(4, audit.size());
        for (AuditEvent event : audit) {
            assertEquals(AuditEvent.Action.CONNECT, event.action());
            assertEquals("refused", event.word());
            assertTrue(event.detail().startsWith("TLS: "), event::detail);
        }
        assertEquals("OK", reply(files.client(files.peer()), "osp\u00ff\u00ff", 2));
        assertEquals(new TlsHandshakes(1, 4), engine.tlsHandshakes());
    }

    @Test
    void withOptionalCertificatesAWrongOneIsStillRefused()
            throws IOException, GeneralSecurityException {
        engine.openTls(files.config(ClientCertificates.OPTIONAL, null));
        assertEquals("OK", reply(files.client(null), "osp\u00ff\u00ff", 2));
        assertRefused(files.authority().issueExpired("expired"));
    }

    @Test
    void versionsSayTheirNameOrNone() throws IOException, GeneralSecurityException {
        engine.openTls(files.config(ClientCertificates.NONE, null));
        SSLContext context = files.client(null);
        String three = "\u00ff3.0\u00ffosp\u00ff\u00ff";
        assertEquals("OK\u00ff", reply(context, three, 3, "lrwp/3"));
        assertEquals("REJECTED", reply(context, three, 8));
        assertEquals("ERROR", reply(context, "osp\u00ff\u00ff", 5, "lrwp/3"));
        assertThrows(SSLException.class, () -> reply(context, three, 3, "http/1.1"));
    }

    @Test
    void olderTlsIsRefused() throws IOException, GeneralSecurityException {
        engine.openTls(files.config(ClientCertificates.NONE, null));
        try (SSLSocket socket = dial(files.client(null))) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            assertThrows(SSLException.class, socket::startHandshake);
        }
    }

    @Test
    void aFloodOfBadHandshakesDoesNotFillTheLog() throws IOException {
        engine.openTls(files.config(ClientCertificates.REQUIRED, null));
        try (var log = new LogLines("org.lrwp.engine")) {
            for (int i = 0; i < FLOOD; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
                    socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
                    socket.shutdownOutput();
                    assertTrue(socket.getInputStream().readAllBytes().length > 0);
                }
            }
            assertEquals(new TlsHandshakes(0, FLOOD), engine.tlsHandshakes());
            List<String> lines =
                    log.drain().stream().filter(line -> line.startsWith("tls-refused")).toList();
            assertTrue(!lines.isEmpty() && lines.size() < FLOOD / 2, lines::toString);
        }
    }

    @Test
    void halfHandshakesKeepNobodyOut() throws IOException, InterruptedException {
        engine.openTls(files.config(ClientCertificates.REQUIRED, null));
        List<Socket> half = new ArrayList<>();
        for (int i = 0; i < HALF_HANDSHAKES; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
            socket.getOutputStream().write(new byte[] {0x16, 3, 1, 1, 0, 1});
            half.add(socket);
        }
        try (LrwpPeer peer = peer()) {
            assertEquals("200 hello", ask("hello").awaited());
            assertNotNull(peer);
        }
        for (Socket socket : half) {
            socket.close();
        }
    }

    @Test
    void aRevokedPeerIsRefusedAlthoughItHadASession()
            throws IOException, GeneralSecurityException, InterruptedException {
        Path list = files.authority().revoked();
        engine.openTls(files.config(ClientCertificates.REQUIRED, list));
        SSLContext context = files.client(files.peer());
        LrwpPeer before = peer();
        assertEquals("OK", reply(context, "tep\u00ff\u00ff", 2));
        files.authority().revoke(files.peer());
        files.authority().revoked();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        boolean refused = false;
        while (!refused) {
            assertTrue(System.nanoTime() < end, "the revoked peer still comes in");
            try {
                reply(context, "tep\u00ff\u00ff", 2);
            } catch (SSLException e) {
                refused = true;
            }
        }
        // Who is in stays in.
        assertEquals("200 hello", ask("hello").awaited());
        before.close();
    }

    @Test
    void aRenewedCertificateIsShownAndABrokenOneIsNot()
            throws IOException, GeneralSecurityException {
        engine.openTls(files.config(ClientCertificates.NONE, null));
        Files.writeString(files.server().certificate(), "half a file");
        assertEquals("OK", reply(files.client(null), "osp\u00ff\u00ff", 2));
        Issued renewed = files.authority().issue("renewed");
        Files.copy(renewed.key(), files.server().key(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(
                renewed.certificate(),
                files.server().certificate(),
                StandardCopyOption.REPLACE_EXISTING);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        String shown = "";
        while (!shown.equals("CN=renewed")) {
            assertTrue(System.nanoTime() < end, shown);
            try (SSLSocket socket = dial(files.client(null))) {
                shown = socket.getSession().getPeerPrincipal().getName();
            }
        }
    }

    @Test
    void peersTrustNoProxyUnchecked() throws IOException {
        Path trusted = files.authority().certificate();
        engine.openTls(files.config(ClientCertificates.NONE, null));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            PeerTls tls = PeerTls.trusting(trusted);
            assertThrows(
                    SSLException.class,
                    () -> tls.open(socket, "elsewhere.example", ProtocolVersion.LRWP_3));
        }
        var others = new TestAuthority(folder.resolve("others"), "others");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            PeerTls tls = PeerTls.trusting(others.certificate());
            assertThrows(
                    SSLException.class,
                    () -> tls.open(socket, "localhost", ProtocolVersion.LRWP_3));
        }
    }

    @Test
    void filesThatCannotBeUsedAreNamed() throws IOException {
        Path key = files.peer().key();
        PeerTls strangeKey =
                PeerTls.trusting(files.authority().certificate())
                        .certificate(files.server().certificate(), key);
        var mismatch = assertThrows(IllegalArgumentException.class, strangeKey::check);
        assertTrue(String.valueOf(mismatch.getMessage()).contains(key + " is not the key of"));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        var open = assertThrows(IllegalArgumentException.class, () -> tls().check());
        assertTrue(String.valueOf(open.getMessage()).contains("others may read this key"));
        PeerTls nothing = PeerTls.trusting(folder.resolve("missing.pem"));
        assertThrows(IllegalArgumentException.class, nothing::check);
        PeerTls noCertificate = PeerTls.trusting(files.server().key());
        var kind = assertThrows(IllegalArgumentException.class, noCertificate::check);
        assertTrue(String.valueOf(kind.getMessage()).contains("no CERTIFICATE"));
    }
}
