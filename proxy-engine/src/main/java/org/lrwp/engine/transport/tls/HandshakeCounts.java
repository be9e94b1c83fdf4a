package org.lrwp.engine.transport.tls;

import org.lrwp.engine.transport.PeerAddress;

import java.util.concurrent.atomic.LongAdder;

/** Counts how handshakes end, and passes on whose have failed. Thread-safe. */
final class HandshakeCounts implements TlsRefusals {
    private final TlsRefusals next;
    private final LongAdder done = new LongAdder();
    private final LongAdder refused = new LongAdder();

    HandshakeCounts(TlsRefusals next) {
        this.next = next;
    }

    /** A handshake is over, and both sides go on. */
    void done() {
        done.increment();
    }

    @Override
    public void refused(PeerAddress peer, String reason) {
        refused.increment();
        next.refused(peer, reason);
    }

    TlsHandshakes now() {
        return new TlsHandshakes(done.sum(), refused.sum());
    }
}
