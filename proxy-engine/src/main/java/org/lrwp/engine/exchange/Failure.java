package org.lrwp.engine.exchange;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Why a request was not answered by a peer, and what its client gets instead: the one table from
 * failure to HTTP status (docs/operations.md, "Errors").
 */
public enum Failure {
    /** The request breaks HTTP in a way that must not reach a peer. */
    BAD_REQUEST(400, "bad-request", "The request is not valid HTTP.", 0),
    /** The body came too slowly. */
    BODY_TOO_SLOW(408, "body-too-slow", "The request body did not arrive in time.", 0),
    /** The body is above its limit. */
    BODY_TOO_LARGE(413, "body-too-large", "The request body is larger than allowed.", 0),
    /** The request head does not fit the env block. */
    HEAD_TOO_LARGE(431, "head-too-large", "The request head is larger than allowed.", 0),
    /** Something failed that never should. */
    INTERNAL(500, "internal-error", "The proxy failed.", 0),
    /** The peer's connection ended before its answer was whole. */
    PEER_GONE(502, "peer-gone", "The peer left before it answered.", 0),
    /** The peer did not take the request. */
    PEER_STALLED(502, "peer-stalled", "The peer did not take the request.", 0),
    /** The peer's answer is not a frame. */
    BROKEN_FRAME(502, "broken-frame", "The peer sent an answer that cannot be read.", 0),
    /** The head of the peer's answer breaks a rule. */
    BROKEN_HEAD(502, "broken-head", "The peer sent an answer with a broken head.", 0),
    /** The answer ended before the length it had announced. */
    SHORT_ANSWER(502, "short-answer", "The peer's answer is shorter than announced.", 0),
    /** The peer gave the request up. */
    PEER_CANCELLED(502, "peer-cancelled", "The peer gave the request up.", 0),
    /** Memory or disk for bodies is used up while a peer has the request, or has answered. */
    SPACE_RAN_OUT(502, "space-ran-out", "The proxy ran out of room during the request.", 0),
    /** An operator has ended the request. */
    CANCELLED(502, "cancelled", "The request was ended by an operator.", 0),
    /** The context is paused. */
    PAUSED(503, "paused", "This context is paused.", 30),
    /** The waiting queue of the context is full. */
    QUEUE_FULL(503, "queue-full", "Too many requests are waiting for this context.", 1),
    /** No peer became free before the deadline. */
    WAITED_TOO_LONG(503, "waited-too-long", "No peer became free in time.", 1),
    /** No peer serves the context, and none came back in time. */
    NO_PEER(503, "no-peer", "No peer serves this context at present.", 1),
    /** Every peer that could have the request has refused it. */
    REFUSED(503, "refused", "The request was refused, and no other peer can have it.", 1),
    /** The request moved from peer to peer too often. */
    MOVED_TOO_OFTEN(503, "moved-too-often", "Every peer left before it took the request.", 1),
    /** The proxy's limit of requests at once is reached. */
    TOO_MANY_EXCHANGES(503, "too-many-requests", "The proxy is full.", 1),
    /** The proxy's limit of tunnels at once is reached. */
    TOO_MANY_TUNNELS(503, "too-many-tunnels", "The proxy has no room for one more tunnel.", 1),
    /** Memory or disk for bodies is used up, and no peer has the request. */
    NO_SPACE(503, "no-space", "The proxy has no room for the request body.", 1),
    /** The proxy goes down. */
    DRAINING(503, "draining", "The proxy is going down.", 1),
    /** The peer said nothing for the response time. */
    PEER_TIMEOUT(504, "peer-timeout", "The peer did not answer in time.", 0),
    /** Nothing went through a tunnel for its idle time; its client is cut. */
    TUNNEL_IDLE(504, "tunnel-idle", "Nothing was sent for too long.", 0),
    /** The client left; nobody gets anything. */
    CLIENT_GONE(0, "client-gone", "The client left.", 0),
    /** The client did not read its answer. */
    CLIENT_STALLED(0, "client-stalled", "The client did not read its answer.", 0);

    private static final Set<String> WORDS =
            Arrays.stream(values()).map(Failure::word).collect(Collectors.toUnmodifiableSet());

    private final int status;
    private final String word;
    private final String sentence;
    private final int retryAfterSeconds;

    Failure(int status, String word, String sentence, int retryAfterSeconds) {
        this.status = status;
        this.word = word;
        this.sentence = sentence;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    /**
     * Returns the HTTP status.
     *
     * @return 400 to 504; 0 when there is nobody to tell
     */
    public int status() {
        return status;
    }

    /**
     * Says whether the peer has failed, not the client or the proxy.
     *
     * @return true for a peer that has left, was silent, gave up, or broke a rule
     */
    public boolean isOfPeer() {
        return switch (this) {
            case PEER_GONE,
                    PEER_STALLED,
                    PEER_CANCELLED,
                    PEER_TIMEOUT,
                    BROKEN_FRAME,
                    BROKEN_HEAD,
                    SHORT_ANSWER ->
                    true;
            default -> false;
        };
    }

    /**
     * Returns the reason word of error bodies, logs and counters.
     *
     * @return lower case with hyphens
     */
    public String word() {
        return word;
    }

    /**
     * Says whether a reason is a failure.
     *
     * @param reason the reason word of a log line
     * @return whether one has this word
     */
    public static boolean isWord(String reason) {
        return WORDS.contains(reason);
    }

    /**
     * Returns the sentence for the client.
     *
     * @return one sentence without details of the inside
     */
    public String sentence() {
        return sentence;
    }

    /**
     * Returns the value of {@code Retry-After}.
     *
     * @return seconds, 0 for no such header
     */
    public int retryAfterSeconds() {
        return retryAfterSeconds;
    }
}
