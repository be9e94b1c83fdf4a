package org.lrwp.engine.transport.tls;

import org.lrwp.engine.transport.PeerAddress;

/** Is told whose TLS handshakes have failed. Called on the link's loop; must not block. */
@FunctionalInterface
public interface TlsRefusals {
    /**
     * A peer that has said something is refused.
     *
     * @param peer where it is
     * @param reason why, printable
     */
    void refused(PeerAddress peer, String reason);
}
