package org.lrwp.engine.transport.tls;

/**
 * How the TLS handshakes of peers have ended since the start.
 *
 * @param done the peer was let in
 * @param refused it was not, after it had said something
 */
public record TlsHandshakes(long done, long refused) {}
