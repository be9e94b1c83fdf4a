package org.lrwp.engine.peer;

import org.lrwp.engine.exchange.Attempt;
import org.lrwp.protocol.frame.PeerSettings;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;

/** The log lines of one connection with many slots; what comes from the peer is escaped. */
final class PeerLog {
    private static final System.Logger LOG = System.getLogger(Lrwp3Connection.class.getName());

    private final String peer;

    PeerLog(String peer) {
        this.peer = peer;
    }

    void connected(PeerSettings settings, int capacity) {
        LOG.log(
                Level.INFO,
                "peer-connected peer={0} version=3.0 name=\"{1}\" capacity={2} stream={3}",
                peer,
                PeerText.escape(settings.name()),
                Integer.toString(capacity),
                settings.stream() ? 1 : 0);
    }

    void connected(LocalPeer peer) {
        for (ServedContext served : peer.contexts()) {
            LOG.log(
                    Level.INFO,
                    "peer-registered peer={0} version=local context={1} host={2} capacity={3}",
                    this.peer,
                    PeerText.escape(served.context()),
                    PeerText.escape(served.virtualHost()),
                    Integer.toString(peer.capacity()));
        }
    }

    /** A module has written more than it had announced. */
    void surplus(Attempt attempt) {
        LOG.log(
                Level.WARNING,
                "answer-too-long peer={0} {1} reason=\"more octets than the Content-Length said\"",
                peer,
                named(attempt));
    }

    /** A request as messages name it. */
    static String named(Attempt attempt) {
        return "context="
                + PeerText.escape(attempt.contextName())
                + " id="
                + attempt.exchangeStatus().id();
    }

    void draining(String event, int requests) {
        LOG.log(Level.INFO, "{0} peer={1} requests={2}", event, peer, Integer.toString(requests));
    }

    void left(Level level, String contexts, long served, String reason) {
        LOG.log(
                level,
                "peer-left peer={0} contexts={1} served={2} reason=\"{3}\"",
                peer,
                contexts,
                Long.toString(served),
                PeerText.sentence(reason));
    }

    void brokenFrame(String rule, ByteBuffer octets) {
        LOG.log(
                Level.WARNING,
                "broken-frame peer={0} rule=\"{1}\" octets={2}",
                peer,
                PeerText.sentence(rule),
                PeerText.escape(octets));
    }

    void request(String event, Attempt attempt, String reason) {
        LOG.log(
                Level.INFO,
                "{0} peer={1} context={2} id={3} reason=\"{4}\"",
                event,
                peer,
                PeerText.escape(attempt.contextName()),
                attempt.exchangeStatus().id(),
                PeerText.sentence(reason));
    }
}
