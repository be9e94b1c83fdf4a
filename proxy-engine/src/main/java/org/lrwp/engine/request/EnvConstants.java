package org.lrwp.engine.request;

/**
 * The variables that are the same in all env blocks, encoded once.
 *
 * @param request what begins the block
 * @param server what begins the variables of the server
 * @param version what only Xitami's peers read
 */
@SuppressWarnings("ArrayRecordComponent") // Made once, never compared.
record EnvConstants(byte[] request, byte[] server, byte[] version) {
    static EnvConstants of(String software, String version) {
        return new EnvConstants(
                Latin.bytes("GATEWAY_INTERFACE=CGI/1.1\0"),
                Latin.bytes("SERVER_SOFTWARE=" + software + "\0"),
                Latin.bytes("SERVER_VERSION=" + version + "\0"));
    }
}
