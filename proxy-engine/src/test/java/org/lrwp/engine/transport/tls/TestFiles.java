package org.lrwp.engine.transport.tls;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.tls.OwnCertificate;
import org.lrwp.sdk.tls.PemFile;
import org.lrwp.testkit.wire.TestAuthority;
import org.lrwp.testkit.wire.TestAuthority.Issued;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of a proxy and of peers, as an operator would have them. */
public final class TestFiles {
    private final TestAuthority authority;
    private final Issued server;
    private final Issued peer;

    /** Has them issued into a folder. */
    public TestFiles(Path folder) throws IOException {
        authority = new TestAuthority(folder.resolve("ours"), "ours");
        server = authority.issue("server");
        peer = authority.issue("peer");
    }

    /** Whom both sides trust. */
    public TestAuthority authority() {
        return authority;
    }

    /** What the proxy shows. */
    public Issued server() {
        return server;
    }

    /** What a peer may show. */
    public Issued peer() {
        return peer;
    }

    /** A port that looks at its files all the time, and computes one handshake at once. */
    public TlsConfig config(ClientCertificates wanted, @Nullable Path revoked) {
        return new TlsConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                server.certificate(),
                server.key(),
                wanted,
                wanted == ClientCertificates.NONE ? null : authority.certificate(),
                revoked,
                Duration.ofMillis(20),
                1);
    }

    /** What a client needs that trusts the authority and shows a certificate, or none. */
    public SSLContext client(@Nullable Issued own) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("ours", PemFile.certificates(authority.certificate()).getFirst());
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManager[] keys =
                own == null
                        ? new KeyManager[0]
                        : OwnCertificate.read(own.certificate(), own.key()).keyManagers();
        context.init(keys, trust.getTrustManagers(), null);
        return context;
    }

    String serverHash() throws IOException, GeneralSecurityException {
        byte[] encoded = PemFile.certificates(server.certificate()).getFirst().getEncoded();
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(encoded));
    }
}
