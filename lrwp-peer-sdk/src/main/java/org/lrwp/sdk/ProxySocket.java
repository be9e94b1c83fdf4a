package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.tls.PeerTls;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;

import javax.net.ssl.SSLSocket;

/**
 * A connection to the proxy, plain or inside TLS. Reading and writing may go on at once; any thread
 * may close it, and that never waits for a write that the proxy does not take.
 */
final class ProxySocket implements Closeable {
    private final Socket connected;
    private final Socket spoken;

    /** Speaks over a connection as it is. */
    ProxySocket(Socket connected) {
        this(connected, connected);
    }

    private ProxySocket(Socket connected, Socket spoken) {
        this.connected = connected;
        this.spoken = spoken;
    }

    /**
     * Does the TLS handshake, if there is to be one. Blocks at most as long as the socket's read
     * timeout allows.
     *
     * @throws OlderProxyException when the proxy does not know LRWP 3 by its name
     */
    static ProxySocket open(
            Socket connected, @Nullable PeerTls tls, String host, ProtocolVersion version)
            throws IOException, OlderProxyException {
        if (tls == null) {
            return new ProxySocket(connected);
        }
        SSLSocket inside = tls.open(connected, host, version);
        boolean named = ProtocolVersion.ALPN.equals(inside.getApplicationProtocol());
        if (version == ProtocolVersion.LRWP_3 && !named) {
            throw new OlderProxyException(version, "no ALPN " + ProtocolVersion.ALPN);
        }
        return new ProxySocket(connected, inside);
    }

    InputStream input() throws IOException {
        return spoken.getInputStream();
    }

    OutputStream output() throws IOException {
        return spoken.getOutputStream();
    }

    /** SHA-256 of the certificate (DER) that the proxy has shown, 32 bytes; empty outside TLS. */
    byte[] certificateHash() throws IOException {
        if (!(spoken instanceof SSLSocket inside)) {
            return new byte[0];
        }
        try {
            byte[] shown = inside.getSession().getPeerCertificates()[0].getEncoded();
            return MessageDigest.getInstance("SHA-256").digest(shown);
        } catch (CertificateEncodingException | NoSuchAlgorithmException e) {
            throw new IOException("the proxy's certificate cannot be hashed", e);
        }
    }

    /** Says how long one wait for bytes may take; zero means for ever. */
    void waitAtMost(Duration time) throws IOException {
        spoken.setSoTimeout(Math.toIntExact(Math.min(Integer.MAX_VALUE, time.toMillis())));
    }

    /** Lets the last bytes wait for the end of output, so that they go together. */
    void holdLast() throws IOException {
        connected.setTcpNoDelay(false);
    }

    /** Ends the output, inside TLS with close_notify. */
    void shutdownOutput() throws IOException {
        spoken.shutdownOutput();
    }

    boolean isOutputShutdown() {
        return spoken.isOutputShutdown();
    }

    /** Closes the connection under TLS: closing TLS itself would wait for a write under way. */
    @Override
    public void close() throws IOException {
        connected.close();
    }
}
