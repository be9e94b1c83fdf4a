package org.lrwp.sdk;

import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.tls.PeerTls;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;

import javax.net.ssl.SSLSocket;

/** A TCP connection to the proxy, plain or inside TLS. */
final class TcpSocket implements ProxySocket {
    private final Socket connected;
    private final Socket spoken;

    /** What carries TLS: its end is an error there, as TLS says by itself when it ends. */
    private static final class Carrier extends Socket {
        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    return checked(in.read());
                }

                @Override
                public int read(byte[] target, int offset, int count) throws IOException {
                    return checked(in.read(target, offset, count));
                }

                private static int checked(int result) throws IOException {
                    if (result < 0) {
                        throw new IOException("the connection ended without close_notify");
                    }
                    return result;
                }
            };
        }
    }

    private TcpSocket(Socket connected, Socket spoken) {
        this.connected = connected;
        this.spoken = spoken;
    }

    /** Speaks over a connection as it is. */
    TcpSocket(Socket connected) {
        this(connected, connected);
    }

    /** Prepares a connection that is not dialled yet. */
    static TcpSocket fresh(boolean carriesTls) {
        return new TcpSocket(carriesTls ? new Carrier() : new Socket());
    }

    @Override
    public void connect(SocketAddress proxy, Duration most) throws IOException {
        connected.setTcpNoDelay(true);
        connected.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        KeepAlive.quicken(connected);
        connected.connect(proxy, Math.toIntExact(most.toMillis()));
    }

    @Override
    public ProxySocket secured(PeerTls tls, String host, ProtocolVersion version)
            throws IOException, OlderProxyException {
        SSLSocket inside = tls.open(connected, host, version);
        boolean named = ProtocolVersion.ALPN.equals(inside.getApplicationProtocol());
        if (version == ProtocolVersion.LRWP_3 && !named) {
            throw new OlderProxyException(version, "no ALPN " + ProtocolVersion.ALPN);
        }
        return new TcpSocket(connected, inside);
    }

    @Override
    public InputStream input() throws IOException {
        return spoken.getInputStream();
    }

    @Override
    public OutputStream output() throws IOException {
        return spoken.getOutputStream();
    }

    @Override
    public byte[] certificateHash() throws IOException {
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

    @Override
    public void waitAtMost(Duration time) throws IOException {
        spoken.setSoTimeout(Math.toIntExact(Math.min(Integer.MAX_VALUE, time.toMillis())));
    }

    @Override
    public void holdLast() throws IOException {
        connected.setTcpNoDelay(false);
    }

    @Override
    public void shutdownOutput() throws IOException {
        spoken.shutdownOutput();
    }

    @Override
    public boolean isOutputShutdown() {
        return spoken.isOutputShutdown();
    }

    /** Closes the connection under TLS: closing TLS itself would wait for a write under way. */
    @Override
    public void close() throws IOException {
        connected.close();
    }
}
