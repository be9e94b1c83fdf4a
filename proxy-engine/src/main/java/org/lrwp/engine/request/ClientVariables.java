package org.lrwp.engine.request;

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

    private static String variable(String name, Object value) {
        return name + "=" + value + "\0";
    }
}
