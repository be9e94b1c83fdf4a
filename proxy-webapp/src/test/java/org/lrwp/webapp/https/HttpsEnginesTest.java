package org.lrwp.webapp.https;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.transport.tls.ClientCertificates;
import org.lrwp.files.FileFault;
import org.lrwp.sdk.tls.OwnCertificate;
import org.lrwp.testkit.wire.TestAuthority;
import org.lrwp.webapp.config.HttpsConfig;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** What clients of the HTTPS port are shown. */
class HttpsEnginesTest {
    @TempDir Path folder;
    private PemFolder files;
    private Duration later = Duration.ZERO;

    @BeforeEach
    void make() {
        files = new PemFolder(folder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA"})
    void aClientIsShownTheCertificateOfTheFiles(String algorithm) throws Exception {
        put(files.make("first.test", algorithm));
        try (HttpsEngines engines = open(null)) {
            assertEquals("CN=first.test", shown(engines, client("TLSv1.3")));
            assertEquals("CN=first.test", shown(engines, client("TLSv1.2")));
        }
    }

    @Test
    void olderVersionsAreRefused() throws Exception {
        put(files.make("first.test", "EC"));
        try (HttpsEngines engines = open(null)) {
            SSLEngine old = client("TLSv1.1");
            assertThrows(SSLException.class, () -> shown(engines, old));
        }
    }

    @Test
    void aClientThatSpeaksNoHttp11IsRefused() throws Exception {
        put(files.make("first.test", "EC"));
        try (HttpsEngines engines = open(null)) {
            SSLEngine client = offering(client("TLSv1.3"), "any", "h2");
            assertThrows(SSLHandshakeException.class, () -> shown(engines, client));
            SSLEngine both = offering(client("TLSv1.3"), "any", "h2", "http/1.1");
            assertEquals("CN=first.test", shown(engines, both));
            assertEquals("http/1.1", both.getApplicationProtocol());
        }
    }

    @Test
    void aMissingCertificateIsNamed() {
        var missing = assertThrows(IOException.class, () -> open(null));
        assertEquals(folder.resolve("cert.pem") + ": does not exist", FileFault.of(missing));
    }

    @Test
    void aCertificateThatIsYetToBeMadeMayBeMissing() throws Exception {
        try (HttpsEngines engines = open(folder)) {
            SSLEngine client = client("TLSv1.3");
            assertThrows(SSLHandshakeException.class, () -> shown(engines, client));
        }
    }

    @Test
    void anAuthorityIsShownTheCertificateItAsksFor() throws Exception {
        put(files.make("first.test", "EC"));
        PemFolder.Pair asked = files.make("asked.test", "EC");
        files.write("challenges/asked.test.pem", asked.certificate() + asked.key());
        try (HttpsEngines engines = open(folder.resolve("challenges"))) {
            SSLEngine authority = offering(client("TLSv1.3"), "Asked.TEST", "acme-tls/1");
            assertEquals("CN=asked.test", shown(engines, authority));
            assertEquals("acme-tls/1", authority.getApplicationProtocol());

            SSLEngine usual = offering(client("TLSv1.3"), "asked.test", "http/1.1");
            assertEquals("CN=first.test", shown(engines, usual));
            SSLEngine other = offering(client("TLSv1.3"), "other.test", "acme-tls/1");
            assertThrows(SSLHandshakeException.class, () -> shown(engines, other));
        }
    }

    @Test
    void aKeyThatOthersCanReadIsRefused() throws Exception {
        PemFolder.Pair pair = files.make("first.test", "EC");
        files.write("cert.pem", pair.certificate());
        files.write("key.pem", pair.key(), "rw-r--r--");
        assertRefused("others may read this key: chmod 600");
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() throws Exception {
        files.write("cert.pem", files.make("first.test", "EC").certificate());
        files.write("key.pem", files.make("other.test", "EC").key());
        assertRefused("is not the key of");
    }

    @Test
    void whatIsNoPairOfPemFilesIsNamed() throws Exception {
        PemFolder.Pair pair = files.make("first.test", "EC");
        files.write("cert.pem", "nothing\n");
        files.write("key.pem", pair.key());
        assertRefused("no CERTIFICATE in PEM form");
        files.write("cert.pem", PemFolder.pem("CERTIFICATE", new byte[] {1, 2, 3}));
        assertRefused("a certificate is broken");
        files.write("cert.pem", pair.certificate());
        files.write("key.pem", pair.certificate());
        assertRefused("no PRIVATE KEY, only [CERTIFICATE]");
        files.write("key.pem", PemFolder.pem("RSA PRIVATE KEY", new byte[] {1, 2, 3}));
        assertRefused("convert it: openssl pkcs8 -topk8 -nocrypt");
        files.write("key.pem", PemFolder.pem("PRIVATE KEY", new byte[] {1, 2, 3}));
        assertRefused("a key, but none of [EC, RSA, EdDSA]");
    }

    private CertificateFiles watched() {
        return new CertificateFiles(
                folder.resolve("cert.pem"), folder.resolve("key.pem"), InstantSource.system());
    }

    @Test
    void aChangedCertificateIsShownOnceItFitsItsKey() throws Exception {
        put(files.make("first.test", "EC"));
        CertificateFiles watched = watched();
        watched.load();
        PemFolder.Pair next = files.make("second.test", "RSA");
        files.write("cert.pem", next.certificate());
        watched.look();
        assertEquals("CN=first.test", subject(watched));
        watched.look();
        assertEquals("CN=first.test", subject(watched));
        files.write("key.pem", next.key());
        watched.look();
        watched.look();
        assertEquals("CN=second.test", subject(watched));
        Files.delete(folder.resolve("key.pem"));
        watched.look();
        watched.look();
        assertEquals("CN=second.test", subject(watched));
    }

    @Test
    void aHandshakeAmidARenewalIsShownAChainThatFitsItsKey() throws Exception {
        put(files.make("first.test", "EC"));
        CertificateFiles watched = watched();
        watched.load();
        var keys = new ServerKeys(watched, new ChallengeCertificates(null));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLEngine engine = context.createSSLEngine();
        String alias = requireNonNull(keys.chooseEngineServerAlias("EC", null, engine));
        put(files.make("second.test", "EC"));
        watched.load();
        X509Certificate[] chain = requireNonNull(keys.getCertificateChain(alias));
        assertEquals("CN=first.test", chain[0].getSubjectX500Principal().getName());
        String next = requireNonNull(keys.chooseEngineServerAlias("EC", null, engine));
        assertEquals(
                "CN=second.test",
                requireNonNull(keys.getCertificateChain(next))[0]
                        .getSubjectX500Principal()
                        .getName());
        assertNotEquals(keys.getPrivateKey(alias), keys.getPrivateKey(next));
    }

    @Test
    void aKeyThatIsRefusedForItsModeIsUsedOnceItsModeIsRight() throws Exception {
        put(files.make("first.test", "EC"));
        CertificateFiles watched = watched();
        watched.load();
        PemFolder.Pair next = files.make("second.test", "EC");
        files.write("cert.pem", next.certificate());
        Path key = files.write("key.pem", next.key(), "rw-r--r--");
        watched.look();
        watched.look();
        assertEquals("CN=first.test", subject(watched));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        watched.look();
        assertEquals("CN=second.test", subject(watched));
    }

    private static String subject(CertificateFiles watched) {
        OwnCertificate present = requireNonNull(watched.present());
        return present.chain().getFirst().getSubjectX500Principal().getName();
    }

    private void assertRefused(String part) {
        var refused = assertThrows(IOException.class, () -> open(null));
        assertTrue(String.valueOf(refused.getMessage()).contains(part), refused.getMessage());
    }

    private void put(PemFolder.Pair pair) throws Exception {
        files.write("cert.pem", pair.certificate());
        files.write("key.pem", pair.key());
    }

    @Test
    void clientsAreAskedForCertificatesAsConfigured() throws Exception {
        put(files.make("own", "EC"));
        Path trust = files.write("trust.pem", files.make("clients", "EC").certificate());
        try (HttpsEngines none = open(null);
                HttpsEngines optional = asking(ClientCertificates.OPTIONAL, trust);
                HttpsEngines required = asking(ClientCertificates.REQUIRED, trust)) {
            assertFalse(none.engine().getWantClientAuth());
            assertTrue(optional.engine().getWantClientAuth());
            assertTrue(required.engine().getNeedClientAuth());
            assertThrows(
                    SSLException.class, () -> shown(required, offering(client("TLSv1.2"), "own")));
        }
        Path missing = folder.resolve("missing.pem");
        assertThrows(IOException.class, () -> asking(ClientCertificates.REQUIRED, missing));
    }

    @Test
    void whatAClientHasProvedDoesNotOutliveItsCertificate() throws Exception {
        put(files.make("own", "EC"));
        PemFolder.Pair pair = files.make("clients", "EC");
        Path certificate = files.write("client.pem", pair.certificate());
        Path key = files.write("client.key", pair.key());
        try (HttpsEngines engines = asking(ClientCertificates.REQUIRED, certificate)) {
            SSLEngine server = engines.engine();
            shake(server, client(showing(certificate, key), "TLSv1.3"));
            SSLSession session = server.getSession();
            assertEquals(1, session.getPeerCertificates().length);
            engines.check(session);
            later = Duration.ofDays(3);
            var ended = assertThrows(SSLException.class, () -> engines.check(session));
            assertTrue(String.valueOf(ended.getMessage()).contains("CN=clients"));
        }
    }

    @Test
    void aRevokedClientIsRefusedAlthoughItHasASession() throws Exception {
        put(files.make("own", "EC"));
        var authority = new TestAuthority(folder.resolve("clients"), "clients");
        TestAuthority.Issued issued = authority.issue("erika");
        Path list = authority.revoked();
        HttpsConfig config =
                config(null, ClientCertificates.REQUIRED, authority.certificate(), list);
        // A client of TLS 1.2 has its session at the end of the handshake.
        SSLContext erika = showing(issued.certificate(), issued.key());
        try (HttpsEngines engines = HttpsEngines.read(config, InstantSource.system())) {
            SSLEngine first = client(erika, "TLSv1.2");
            assertEquals("CN=own", shown(engines, first));
            SSLEngine again = client(erika, "TLSv1.2");
            assertEquals("CN=own", shown(engines, again));
            assertEquals(
                    first.getSession().getCreationTime(), again.getSession().getCreationTime());

            authority.revoke(issued);
            authority.revoked();
            lookTwice(engines);
            assertThrows(SSLException.class, () -> shown(engines, client(erika, "TLSv1.2")));
        }
    }

    @Test
    void aListOfTheRevokedThatCannotBeReadLeavesTheOldOne() throws Exception {
        put(files.make("own", "EC"));
        var authority = new TestAuthority(folder.resolve("clients"), "clients");
        TestAuthority.Issued in = authority.issue("erika");
        TestAuthority.Issued out = authority.issue("max");
        authority.revoke(out);
        HttpsConfig config =
                config(
                        null,
                        ClientCertificates.REQUIRED,
                        authority.certificate(),
                        authority.revoked());
        try (HttpsEngines engines = HttpsEngines.read(config, InstantSource.system())) {
            Files.writeString(requireNonNull(config.revoked()), "no list");
            lookTwice(engines);
            SSLContext erika = showing(in.certificate(), in.key());
            assertEquals("CN=own", shown(engines, client(erika, "TLSv1.2")));
            SSLContext max = showing(out.certificate(), out.key());
            assertThrows(SSLException.class, () -> shown(engines, client(max, "TLSv1.2")));
        }
    }

    /** What has changed is read when it has not changed any more. */
    private static void lookTwice(HttpsEngines engines) {
        engines.look();
        engines.look();
    }

    private HttpsEngines open(@Nullable Path challenges) throws IOException {
        return opened(config(challenges, ClientCertificates.NONE, null, null));
    }

    private HttpsEngines asking(ClientCertificates asked, Path trust) throws IOException {
        return opened(config(null, asked, trust, null));
    }

    private HttpsEngines opened(HttpsConfig config) throws IOException {
        return HttpsEngines.open(config, () -> Instant.now().plus(later));
    }

    private HttpsConfig config(
            @Nullable Path challenges,
            ClientCertificates asked,
            @Nullable Path trust,
            @Nullable Path revoked) {
        return new HttpsConfig(
                InetAddress.getLoopbackAddress(),
                443,
                folder.resolve("cert.pem"),
                folder.resolve("key.pem"),
                asked,
                trust,
                revoked,
                challenges,
                1,
                1);
    }

    /** A client that believes everybody, and shows a certificate. */
    private static SSLContext showing(Path certificate, Path key) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                OwnCertificate.read(certificate, key).keyManagers(),
                new TrustManager[] {new Trusting()},
                null);
        return context;
    }

    /** A client that believes everybody, and shows none. */
    private static SSLEngine client(String version) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Trusting()}, null);
        return client(context, version);
    }

    private static SSLEngine client(SSLContext context, String version) {
        SSLEngine client = context.createSSLEngine("any", 443);
        client.setUseClientMode(true);
        client.setEnabledProtocols(new String[] {version});
        return client;
    }

    private static SSLEngine offering(SSLEngine client, String name, String... protocols) {
        SSLParameters parameters = client.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        parameters.setApplicationProtocols(protocols);
        client.setSSLParameters(parameters);
        return client;
    }

    /** Runs a handshake; the subject of the certificate that the client is shown. */
    private static String shown(HttpsEngines engines, SSLEngine client) throws SSLException {
        shake(engines.engine(), client);
        var own = (X509Certificate) client.getSession().getPeerCertificates()[0];
        return own.getSubjectX500Principal().getName();
    }

    private static void shake(SSLEngine server, SSLEngine client) throws SSLException {
        ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
        ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
        client.beginHandshake();
        server.beginHandshake();
        for (int i = 0; i < 100 && !(isDone(client) && isDone(server)); i++) {
            step(client, toClient, toServer);
            step(server, toServer, toClient);
        }
    }

    private static boolean isDone(SSLEngine engine) {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        switch (engine.getHandshakeStatus()) {
            case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
            case NEED_TASK -> engine.getDelegatedTask().run();
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN, NOT_HANDSHAKING -> {
                in.flip();
                engine.unwrap(in, ByteBuffer.allocate(1 << 15));
                in.compact();
            }
            default -> throw new IllegalStateException();
        }
    }

    /** Trusts every server. */
    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
