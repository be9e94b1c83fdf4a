package org.lrwp.webapp.https;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.tls.ClientCertificates;
import org.lrwp.engine.transport.tls.HandshakeThreads;
import org.lrwp.engine.transport.tls.HandshakeTurns;
import org.lrwp.engine.transport.tls.ProofTimes;
import org.lrwp.sdk.tls.PemFile;
import org.lrwp.webapp.config.HttpsConfig;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;

/**
 * Speaks TLS 1.2 and 1.3 with the clients of the HTTPS port: HTTP/1.1, and the challenges of
 * certificate authorities. Any thread.
 */
public final class HttpsEngines implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HttpsEngines.class.getName());
    private static final String HTTP_1_1 = "http/1.1";

    private final HandshakeThreads threads;
    private final HandshakeTurns turns;
    private final CertificateFiles files;
    private final ChallengeCertificates challenges;
    private final ClientCertificates asked;
    private final SSLContext context;
    private final ProofTimes times;
    private final InstantSource clock;

    private HttpsEngines(HttpsConfig config, InstantSource clock)
            throws GeneralSecurityException, IOException {
        TrustManager[] trust = trust(config.trust());
        this.clock = clock;
        this.threads = new HandshakeThreads("lrwp-https-", config.handshakes());
        this.turns = new HandshakeTurns(threads, config.waitingHandshakes());
        this.times = times(config.trust());
        this.files = new CertificateFiles(config.certificate(), config.key(), clock);
        this.challenges = new ChallengeCertificates(config.challenges());
        this.asked = config.clientCertificates();
        this.context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {new ServerKeys(files, challenges)}, trust, null);
    }

    /** Those whose certificates clients may show; without a file, nobody's. */
    private static TrustManager[] trust(@Nullable Path file)
            throws GeneralSecurityException, IOException {
        return file == null ? new TrustManager[0] : PemFile.trust(file).getTrustManagers();
    }

    private static ProofTimes times(@Nullable Path file) throws IOException {
        return file == null
                ? ProofTimes.NONE
                : ProofTimes.of(PemFile.certificates(file), List.of());
    }

    /**
     * Reads the certificate and watches its files. Blocks for the disk.
     *
     * @param config where they are
     * @param clock says whether a certificate has ended
     * @return to be closed
     * @throws IOException when there is no certificate that can be used, unless it has yet to be
     *     made; the message names the file
     */
    public static HttpsEngines open(HttpsConfig config, InstantSource clock) throws IOException {
        HttpsEngines made;
        try {
            made = new HttpsEngines(config, clock);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a JVM without TLS", e);
        }
        try {
            made.files.load();
        } catch (NoSuchFileException missing) {
            if (config.challenges() == null) {
                made.close();
                throw new IOException(missing.getFile() + " does not exist", missing);
            }
            LOG.log(Level.WARNING, "https-certificate-missing file={0}", missing.getFile());
        } catch (IOException e) {
            made.close();
            throw e;
        }
        made.files.watch();
        return made;
    }

    /**
     * Makes the TLS of one connection.
     *
     * @return for the server's side
     */
    public SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        engine.setHandshakeApplicationProtocolSelector(this::protocol);
        switch (asked) {
            case REQUIRED -> engine.setNeedClientAuth(true);
            case OPTIONAL -> engine.setWantClientAuth(true);
            case NONE -> engine.setWantClientAuth(false);
        }
        return engine;
    }

    /**
     * Looks whether the certificate that a client has shown is still in force: a session that is
     * resumed may have begun long before.
     *
     * @param session of a handshake that is over
     * @throws SSLException when it is not
     */
    public void check(SSLSession session) throws SSLException {
        try {
            times.check(
                    Stream.of(session.getPeerCertificates())
                            .map(X509Certificate.class::cast)
                            .toList(),
                    clock.instant());
        } catch (SSLPeerUnverifiedException none) {
            // The client has shown none, and need not.
            LOG.log(Level.TRACE, "client-without-certificate", none);
        }
    }

    /**
     * Returns where handshakes wait until they may be computed.
     *
     * @return drops them all after {@link #close}
     */
    public HandshakeTurns turns() {
        return turns;
    }

    /** Of what a client offers; null when it speaks nothing of it. */
    private @Nullable String protocol(SSLEngine engine, List<String> offered) {
        if (offered.contains(HTTP_1_1)) {
            return HTTP_1_1;
        }
        boolean challenged =
                offered.contains(ChallengeCertificates.PROTOCOL)
                        && challenges.of(ServerKeys.nameAskedFor(engine)) != null;
        return challenged ? ChallengeCertificates.PROTOCOL : null;
    }

    /** Ends the watch of the files, and computes no handshake any more. */
    @Override
    public void close() {
        threads.close();
        files.close();
    }
}
