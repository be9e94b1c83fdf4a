package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A port that shows the file of a challenge to clients that ask for {@code acme-tls/1}: RFC 8737.
 */
public final class AlpnServer implements AutoCloseable {
    private final ServerSocket server;
    private final Path challenge;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private AlpnServer(ServerSocket server, Path challenge) {
        this.server = server;
        this.challenge = challenge;
    }

    /**
     * Opens the port.
     *
     * @param challenge certificate and key in one file, read for each client
     */
    public static AlpnServer open(int port, Path challenge) throws IOException {
        ServerSocket socket = new ServerSocket(port, 0, InetAddress.getLoopbackAddress());
        AlpnServer server = new AlpnServer(socket, challenge);
        Thread.ofVirtual().name("alpn-server").start(server::serve);
        return server;
    }

    /** What clients have asked for, as {@code PROTOCOL HOST}. */
    public List<String> asked() {
        return asked;
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                shake(client);
            } catch (IOException | GeneralSecurityException e) {
                // Whoever asks too early, or for something else, gets nothing.
            }
        }
    }

    private void shake(Socket client) throws IOException, GeneralSecurityException {
        var factory = PemPair.read(challenge).server().getSocketFactory();
        try (SSLSocket socket = (SSLSocket) factory.createSocket(client, null, true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"acme-tls/1"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            var session = (ExtendedSSLSession) socket.getSession();
            asked.add(
                    socket.getApplicationProtocol()
                            + " "
                            + ((SNIHostName) session.getRequestedServerNames().getFirst())
                                    .getAsciiName());
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
