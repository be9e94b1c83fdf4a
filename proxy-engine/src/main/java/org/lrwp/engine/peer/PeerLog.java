package org.lrwp.engine.peer;

import org.lrwp.engine.exchange.Attempt;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;

/** The log lines of one connection; what comes from the peer is escaped. */
public final class PeerLog {
    private static final System.Logger LOG = System.getLogger(PeerLog.class.getName());

    private final String peer;

    /**
     * Creates the log of a connection.
     *
     * @param peer the connection's name
     */
    public PeerLog(String peer) {
        this.peer = peer;
    }

    /**
     * Names a request.
     *
     * @param attempt the request
     * @return its context and its id
     */
    public static String named(Attempt attempt) {
        return "context="
                + PeerText.escape(attempt.contextName())
                + " id="
                + attempt.exchangeStatus().id();
    }

    /**
     * A connection takes no more requests.
     *
     * @param event who wants it so
     * @param requests how many go on
     */
    void draining(String event, int requests) {
        LOG.log(Level.INFO, "{0} peer={1} requests={2}", event, peer, Integer.toString(requests));
    }

    /**
     * A connection with many slots has ended.
     *
     * @param level how much that matters
     * @param contexts what it served
     * @param served how many requests it answered
     * @param reason why
     */
    public void left(Level level, String contexts, long served, String reason) {
        LOG.log(
                level,
                "peer-left peer={0} contexts={1} served={2} reason=\"{3}\"",
                peer,
                contexts,
                Long.toString(served),
                PeerText.sentence(reason));
    }

    /**
     * The head of an answer breaks a rule.
     *
     * @param context the request's
     * @param rule which one
     * @param bytes what came, up to its limit
     */
    public void brokenHead(String context, String rule, ByteBuffer bytes) {
        LOG.log(
                Level.WARNING,
                "answer-head-broken peer={0} context={1} rule=\"{2}\" bytes={3}",
                peer,
                PeerText.escape(context),
                rule,
                PeerText.escape(bytes));
    }

    /**
     * Something has happened to a request.
     *
     * @param event what
     * @param attempt the request
     * @param reason why
     */
    public void request(String event, Attempt attempt, String reason) {
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
