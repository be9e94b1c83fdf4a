package org.lrwp.sdk;

import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.tls.PeerTls;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * A connection to the proxy: by TCP, plain or inside TLS, or by a Unix domain socket. Reading and
 * writing may go on at once; any thread may close it, and that never waits for a write that the
 * proxy does not take.
 */
interface ProxySocket extends Closeable {
    /** Dials; to be called once, before all else but {@link #close()}. */
    void connect(SocketAddress proxy, Duration most) throws IOException;

    /**
     * Does the TLS handshake. Blocks at most as long as {@link #waitAtMost} allows.
     *
     * @throws OlderProxyException when the proxy does not know LRWP 3 by its name
     */
    ProxySocket secured(PeerTls tls, String host, ProtocolVersion version)
            throws IOException, OlderProxyException;

    InputStream input() throws IOException;

    OutputStream output() throws IOException;

    /** SHA-256 of the certificate (DER) that the proxy has shown, 32 bytes; empty outside TLS. */
    byte[] certificateHash() throws IOException;

    /**
     * Says how long one wait for bytes may take; zero means for ever. A connection that has taken
     * longer is of no use any more.
     */
    void waitAtMost(Duration time) throws IOException;

    /** Lets the last bytes wait for the end of output, so that they go together. */
    void holdLast() throws IOException;

    /** Ends the output, inside TLS with close_notify. */
    void shutdownOutput() throws IOException;

    boolean isOutputShutdown();

    /** Closes it; that it could not be closed is only logged. */
    default void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            System.getLogger("org.lrwp.sdk").log(System.Logger.Level.DEBUG, "close-failed", e);
        }
    }
}
