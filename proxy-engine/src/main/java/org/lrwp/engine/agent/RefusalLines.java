package org.lrwp.engine.agent;

import org.lrwp.engine.peer.PeerText;
import org.lrwp.engine.time.LineLimit;
import org.lrwp.engine.time.NanoClock;

/** Tells the log of those who were not let in, within a limit. Thread-safe, never blocks. */
final class RefusalLines {
    private static final System.Logger LOG = System.getLogger(RefusalLines.class.getName());

    private final LineLimit registrations;
    private final LineLimit handshakes;

    /**
     * Creates it without a refusal.
     *
     * @param perSecond lines a second of each kind; 0 = any number
     */
    RefusalLines(int perSecond, NanoClock clock) {
        registrations = new LineLimit(perSecond, clock);
        handshakes = new LineLimit(perSecond, clock);
    }

    /**
     * Tells of a registration, or counts it.
     *
     * @param context as the peer has named it; empty when it has not
     * @param identity who the peer says it is; empty when it says nothing
     */
    void tell(String peer, String context, String reason, String identity) {
        String omitted = registrations.next();
        if (omitted == null) {
            return;
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "registration-refused peer={0} context={1} reason=\"{2}\" identity={3}{4}",
                peer,
                context.isEmpty() ? "-" : PeerText.escape(context),
                reason,
                identity.isEmpty() ? "-" : identity,
                omitted);
    }

    /**
     * Tells of a TLS handshake, or counts it.
     *
     * @param reason printable
     */
    void tellTls(String peer, String reason) {
        String omitted = handshakes.next();
        if (omitted != null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "tls-refused peer={0} reason=\"{1}\"{2}",
                    peer,
                    reason,
                    omitted);
        }
    }
}
