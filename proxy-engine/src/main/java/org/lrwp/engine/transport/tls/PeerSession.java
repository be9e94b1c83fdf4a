package org.lrwp.engine.transport.tls;

import org.lrwp.engine.transport.LinkSecurity;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** Reads from a session what its owner may want to know. */
final class PeerSession {
    private PeerSession() {}

    static LinkSecurity of(SSLEngine engine) throws SSLException {
        SSLSession session = engine.getSession();
        String protocol = engine.getApplicationProtocol();
        try {
            byte[] own = session.getLocalCertificates()[0].getEncoded();
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(own);
            return new LinkSecurity(
                    peerCertificates(session),
                    HexFormat.of().formatHex(hash),
                    protocol == null ? "" : protocol);
        } catch (CertificateEncodingException | NoSuchAlgorithmException e) {
            throw new SSLException("the own certificate cannot be hashed", e);
        }
    }

    private static List<X509Certificate> peerCertificates(SSLSession session) {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            for (Certificate certificate : session.getPeerCertificates()) {
                if (certificate instanceof X509Certificate x509) {
                    chain.add(x509);
                }
            }
        } catch (SSLPeerUnverifiedException e) {
            // The peer has shown none, and need not.
            return List.of();
        }
        return chain;
    }
}
