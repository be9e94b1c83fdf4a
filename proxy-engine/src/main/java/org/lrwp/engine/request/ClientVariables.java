package org.lrwp.engine.request;

import java.util.Arrays;
import java.util.Base64;

/**
 * The variables that are the same in the env blocks of all requests of a connection, encoded once.
 *
 * @param client who asks, and whether by TLS
 * @param port the port that was reached
 * @param xitami what only Xitami's peers read
 */
@SuppressWarnings("ArrayRecordComponent") // Made once, never compared.
record ClientVariables(byte[] client, byte[] port, byte[] xitami) {
    static ClientVariables of(
            String remote, int remotePort, int localPort, int urlPort, boolean secure) {
        return new ClientVariables(
                Latin.bytes(
                        variable("REMOTE_ADDR", remote)
                                + variable("REMOTE_PORT", remotePort)
                                + (secure ? variable("HTTPS", "on") : "")),
                Latin.bytes(variable("SERVER_PORT", localPort)),
                Latin.bytes(
                        variable("SERVER_SECURITY", secure ? "SSL" : "-")
                                + variable("SERVER_HTTP_PORT", secure ? 0 : urlPort)
                                + variable("SERVER_HTTPS_PORT", secure ? urlPort : 0)
                                + variable("REMOTE_HOST", remote)
                                + variable("REMOTE_USER", "-")));
    }

    /** The same for a client that has shown a certificate, in DER. */
    ClientVariables showing(byte[] certificate) {
        byte[] shown =
                Latin.bytes(
                        variable("SSL_CLIENT_VERIFY", "SUCCESS")
                                + variable(
                                        "SSL_CLIENT_CERT",
                                        Base64.getEncoder().encodeToString(certificate)));
        byte[] all = Arrays.copyOf(client, client.length + shown.length);
        System.arraycopy(shown, 0, all, client.length, shown.length);
        return new ClientVariables(all, port, xitami);
    }

    private static String variable(String name, Object value) {
        return name + "=" + value + "\0";
    }
}
