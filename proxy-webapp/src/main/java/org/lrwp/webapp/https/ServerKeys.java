package org.lrwp.webapp.https;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.tls.OwnCertificate;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Says which certificate a client is shown: that of the port, or the one that a certificate
 * authority asks for. Any thread.
 */
final class ServerKeys extends X509ExtendedKeyManager {
    /** Followed by the name that the authority asks for. */
    private static final String CHALLENGE = "challenge ";

    private static final String OWN = "own";

    private final CertificateFiles files;
    private final ChallengeCertificates challenges;

    ServerKeys(CertificateFiles files, ChallengeCertificates challenges) {
        this.files = files;
        this.challenges = challenges;
    }

    /** The name that a client has asked for in its handshake; null for none. */
    static @Nullable String nameAskedFor(SSLEngine engine) {
        if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
            for (SNIServerName name : session.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName();
                }
            }
        }
        return null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        boolean challenged =
                ChallengeCertificates.PROTOCOL.equals(engine.getHandshakeApplicationProtocol());
        String alias = challenged ? CHALLENGE + nameAskedFor(engine) : OWN;
        OwnCertificate shown = of(alias);
        return shown != null && shown.key().getAlgorithm().equals(keyType) ? alias : null;
    }

    private @Nullable OwnCertificate of(String alias) {
        return alias.startsWith(CHALLENGE)
                ? challenges.of(alias.substring(CHALLENGE.length()))
                : files.present();
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        OwnCertificate shown = of(alias);
        return shown == null ? null : shown.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        OwnCertificate shown = of(alias);
        return shown == null ? null : shown.key();
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }
}
