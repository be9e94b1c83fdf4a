package org.lrwp.webapp.container;

import org.lrwp.engine.transport.tls.HandshakeTurns;

import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * The TLS of a port where clients come in.
 *
 * @param engines makes the server's side of one connection; any thread
 * @param proof looks at what a client has proved; any thread
 * @param turns where handshakes wait until they may be computed
 */
public record ClientTls(Supplier<SSLEngine> engines, Proof proof, HandshakeTurns turns) {
    /**
     * Looks at what a client has proved. Java has checked it when the session began, which may be
     * long ago.
     */
    @FunctionalInterface
    public interface Proof {
        /**
         * A handshake is over.
         *
         * @param session the one that was begun or resumed
         * @throws SSLException when what was proved does not count any more
         */
        void check(SSLSession session) throws SSLException;
    }
}
