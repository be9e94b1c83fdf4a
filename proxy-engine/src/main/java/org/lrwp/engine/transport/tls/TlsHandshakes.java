package org.lrwp.engine.transport.tls;

/**
 * How TLS handshakes of peers or clients have ended since the start.
 *
 * @param done the other side was let in
 * @param refused it was not, after it had said something
 */
public record TlsHandshakes(long done, long refused) {}
