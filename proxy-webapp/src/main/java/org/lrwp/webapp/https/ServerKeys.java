package org.lrwp.webapp.https;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.tls.OwnCertificate;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Says which certificate a client is shown: that of the port, or the one that a certificate
 * authority asks for. A handshake asks for key and chain one after the other, and the files may
 * change meanwhile: so its alias stands for the pair that was chosen. Any thread.
 */
final class ServerKeys extends X509ExtendedKeyManager {
    private final AtomicLong number = new AtomicLong();

    /** By the alias itself: a pair is kept as long as its handshake keeps the alias. */
    private final Map<String, OwnCertificate> chosen =
            Collections.synchronizedMap(new WeakHashMap<>());

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
        OwnCertificate shown = challenged ? challenges.of(nameAskedFor(engine)) : files.present();
        if (shown == null || !shown.key().getAlgorithm().equals(keyType)) {
            return null;
        }
        String alias = Long.toString(number.incrementAndGet());
        chosen.put(alias, shown);
        return alias;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        OwnCertificate shown = chosen.get(alias);
        return shown == null ? null : shown.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        OwnCertificate shown = chosen.get(alias);
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
