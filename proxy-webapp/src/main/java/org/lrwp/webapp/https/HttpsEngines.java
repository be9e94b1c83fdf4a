package org.lrwp.webapp.https;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.tls.ClientCertificates;
import org.lrwp.engine.transport.tls.HandshakeThreads;
import org.lrwp.engine.transport.tls.HandshakeTurns;
import org.lrwp.webapp.config.HttpsConfig;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Speaks TLS 1.2 and 1.3 with the clients of the HTTPS port: HTTP/1.1, and the challenges of
 * certificate authorities. Any thread.
 */
public final class HttpsEngines implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HttpsEngines.class.getName());
    private static final String HTTP_1_1 = "http/1.1";
    private static final long LOOK_MILLIS = 500;

    private final HandshakeThreads threads;
    private final HandshakeTurns turns;
    private final CertificateFiles files;
    private final ChallengeCertificates challenges;
    private final ClientCertificates asked;
    private final ClientTrust trust;
    private final ScheduledExecutorService looks;
    private final InstantSource clock;

    private HttpsEngines(HttpsConfig config, InstantSource clock)
            throws GeneralSecurityException, IOException {
        this.clock = clock;
        this.files = new CertificateFiles(config.certificate(), config.key(), clock);
        this.challenges = new ChallengeCertificates(config.challenges());
        this.asked = config.clientCertificates();
        this.trust =
                new ClientTrust(
                        new ServerKeys(files, challenges), config.trust(), config.revoked());
        this.threads = new HandshakeThreads("lrwp-https-", config.handshakes());
        this.turns = new HandshakeTurns(threads, config.waitingHandshakes());
        this.looks =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("lrwp-certificates").factory());
    }

    /**
     * Reads the files and watches them. Blocks for the disk.
     *
     * @param config where they are
     * @param clock says whether a certificate has ended
     * @return to be closed
     * @throws IOException when there is no certificate that can be used, unless it has yet to be
     *     made, or no authorities; it names the file
     */
    public static HttpsEngines open(HttpsConfig config, InstantSource clock) throws IOException {
        HttpsEngines made = read(config, clock);
        // Its exceptions are handled in the looks; closing ends it.
        var _ =
                made.looks.scheduleWithFixedDelay(
                        made::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return made;
    }

    /** Reads the files, and leaves it to others to look whether they change. */
    static HttpsEngines read(HttpsConfig config, InstantSource clock) throws IOException {
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
                throw missing;
            }
            LOG.log(Level.WARNING, "https-certificate-missing file={0}", missing.getFile());
        } catch (IOException e) {
            made.close();
            throw e;
        }
        return made;
    }

    /** Reads what has changed. One thread. */
    void look() {
        files.look();
        trust.look();
    }

    /**
     * Makes the TLS of one connection.
     *
     * @return for the server's side
     */
    public SSLEngine engine() {
        SSLEngine engine = trust.current().context().createSSLEngine();
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
     * Looks whether the certificate that a client has shown is still in force, and the list of the
     * revoked: a session that is resumed may have begun long before.
     *
     * @param session of a handshake that is over
     * @throws SSLException when one of them is not
     */
    public void check(SSLSession session) throws SSLException {
        try {
            List<X509Certificate> chain =
                    Stream.of(session.getPeerCertificates())
                            .map(X509Certificate.class::cast)
                            .toList();
            trust.current().times().check(chain, clock.instant());
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
        looks.shutdownNow();
    }
}
