package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * What happened to one request, told once, at its end: a line of the access log.
 *
 * @param id the request id
 * @param client address of the client
 * @param method the request's method
 * @param target the request's target as it was sent
 * @param context the context as users write it; empty when none was found
 * @param peer the last peer that had the request; empty when none had
 * @param status HTTP status sent to the client; 0 when nothing was sent
 * @param requestBytes bytes of the request's body received
 * @param answerBytes bytes of the answer's body delivered
 * @param queueNanos time spent waiting for a peer, in nanoseconds
 * @param peerNanos time spent with peers, in nanoseconds
 * @param totalNanos time from the request's head to the end of its answer, in nanoseconds
 * @param retries how often the request went to another connection
 * @param way who has read the request and answered it: {@code edge} or {@code servlet}; empty when
 *     nobody has told
 * @param reason {@code answered}, or the word of the {@link Failure}
 * @param details what a log may want beside
 */
public record ExchangeRecord(
        String id,
        String client,
        String method,
        String target,
        String context,
        String peer,
        int status,
        long requestBytes,
        long answerBytes,
        long queueNanos,
        long peerNanos,
        long totalNanos,
        int retries,
        String way,
        String reason,
        RequestDetails details) {
    /** Checks that nothing is missing. */
    public ExchangeRecord {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(peer, "peer");
        Objects.requireNonNull(way, "way");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(details, "details");
    }

    /**
     * Returns the line of a request whose answer came from an exchange of its front.
     *
     * @param where its context
     * @param asked what happened to that exchange; null when there was none
     * @return this line, with the context, and with the peer, its times and its retries; a peer
     *     that was gone is told as that exchange saw it
     */
    public ExchangeRecord by(String where, @Nullable ExchangeRecord asked) {
        boolean gone = asked != null && reason.equals(Failure.PEER_GONE.word());
        return new ExchangeRecord(
                id,
                client,
                method,
                target,
                where,
                asked == null ? "" : asked.peer,
                status,
                requestBytes,
                answerBytes,
                asked == null ? 0 : asked.queueNanos,
                asked == null ? 0 : asked.peerNanos,
                totalNanos,
                asked == null ? 0 : asked.retries,
                way,
                asked != null && gone ? asked.reason : reason,
                details);
    }
}
