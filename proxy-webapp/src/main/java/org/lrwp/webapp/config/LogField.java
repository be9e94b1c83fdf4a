package org.lrwp.webapp.config;

import java.util.Locale;

/** What a line of the access log can have in a form of one's own, by its name in lower case. */
public enum LogField {
    /** When the request ended, ISO 8601, UTC. */
    TIME,
    /** The request id. */
    ID,
    /** The id of its trace. */
    TRACE,
    /** The client's address. */
    CLIENT,
    /** The method. */
    METHOD,
    /** The target as it was sent. */
    TARGET,
    /** The protocol of the request. */
    PROTOCOL,
    /** Whether the client came by TLS. */
    TLS,
    /** The version of TLS on the connection that reached the proxy. */
    TLS_VERSION,
    /** The cipher suite of that connection. */
    TLS_CIPHER,
    /** The context. */
    CONTEXT,
    /** The last peer that had the request. */
    PEER,
    /** The node of the cluster that has answered it; empty when it was this one. */
    NODE,
    /** The identity of that peer. */
    IDENTITY,
    /** The status sent to the client; 0 for nothing. */
    STATUS,
    /** Bytes of the request's body. */
    IN,
    /** Bytes of the answer's body. */
    OUT,
    /** Microseconds in the queue. */
    QUEUE_US,
    /** Microseconds with peers. */
    PEER_US,
    /** Microseconds from the head to the beginning of the answer. */
    FIRST_BYTE_US,
    /** Microseconds with neither: the client's part and the proxy's own. */
    OTHER_US,
    /** Microseconds from the head to the end of the answer. */
    TOTAL_US,
    /** How often the request went to another connection. */
    RETRIES,
    /** Which reader took the request. */
    WAY,
    /** What the response cache did. */
    CACHE,
    /** The reason word, or the word of the response cache. */
    REASON,
    /** The field Referer. */
    REFERER,
    /** The field User-Agent. */
    USER_AGENT;

    /**
     * Returns its name in a template.
     *
     * @return lower case with hyphens
     */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
