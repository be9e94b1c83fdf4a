package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * What happened to one request, told once, at its end: a line of the access log.
 *
 * @param id the request id
 * @param client address of the client
 * @param method the request's method
 * @param sent the request's target
 * @param context the context as users write it; empty when none was found
 * @param peer the last peer that had the request; empty when none had
 * @param identity whose peer that was; empty when none had it, or nobody knows
 * @param status HTTP status sent to the client; 0 when nothing was sent
 * @param requestBytes bytes of the request's body received
 * @param answerBytes bytes of the answer's body delivered
 * @param queueNanos time spent waiting for a peer, in nanoseconds
 * @param peerNanos time spent with peers, in nanoseconds
 * @param firstByteNanos time from the request's head to the beginning of its answer to the client,
 *     in nanoseconds; 0 when nothing was sent
 * @param totalNanos time from the request's head to the end of its answer, in nanoseconds
 * @param retries how often the request went to another connection
 * @param way who has read the request and answered it: {@code edge} or {@code servlet}; empty when
 *     nobody has told
 * @param cache what the response cache did: {@code hit}, {@code stale}, {@code miss}, or {@code
 *     pass} for a request that it left to the peer; empty when none stands in front
 * @param reason {@code answered}, or the word of the {@link Failure}
 * @param details what a log may want beside
 */
public record ExchangeRecord(
        String id,
        String client,
        String method,
        SentTarget sent,
        String context,
        String peer,
        String identity,
        int status,
        long requestBytes,
        long answerBytes,
        long queueNanos,
        long peerNanos,
        long firstByteNanos,
        long totalNanos,
        int retries,
        String way,
        String cache,
        String reason,
        RequestDetails details) {
    private static final String CACHE = "cache-";

    /** Checks that nothing is missing. */
    public ExchangeRecord {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(sent, "sent");
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(peer, "peer");
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(way, "way");
        Objects.requireNonNull(cache, "cache");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(details, "details");
    }

    /**
     * Returns the request's target.
     *
     * @return as it was sent
     */
    public String target() {
        return sent.raw();
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
                sent,
                where,
                asked == null ? "" : asked.peer,
                asked == null ? "" : asked.identity,
                status,
                requestBytes,
                answerBytes,
                asked == null ? 0 : asked.queueNanos,
                asked == null ? 0 : asked.peerNanos,
                firstByteNanos,
                totalNanos,
                asked == null ? 0 : asked.retries,
                way,
                verdict(reason),
                asked != null && gone ? asked.reason : reason,
                details);
    }

    /** The cache's own words begin with its name. */
    private static String verdict(String word) {
        return word.startsWith(CACHE) ? word.substring(CACHE.length()) : "";
    }

    /**
     * Returns the line of a request that is answered by the proxy itself.
     *
     * @param bytes of the answer's body
     * @return this line with them
     */
    ExchangeRecord sending(long bytes) {
        return with(bytes, cache);
    }

    /**
     * Returns the line of a request that the response cache has left to the peer.
     *
     * @return this line, which says so
     */
    public ExchangeRecord passed() {
        return with(answerBytes, "pass");
    }

    private ExchangeRecord with(long bytes, String verdict) {
        return new ExchangeRecord(
                id,
                client,
                method,
                sent,
                context,
                peer,
                identity,
                status,
                requestBytes,
                bytes,
                queueNanos,
                peerNanos,
                firstByteNanos,
                totalNanos,
                retries,
                way,
                verdict,
                reason,
                details);
    }
}
