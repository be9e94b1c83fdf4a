package org.lrwp.engine.exchange;

import org.lrwp.protocol.HeaderField;

import java.util.List;
import java.util.Objects;

/**
 * The head of an answer, ready for the client.
 *
 * @param status HTTP status, 200 to 999
 * @param reason reason phrase, may be empty
 * @param fields header fields to send in this order, without hop-by-hop fields and without {@code
 *     Content-Length}
 * @param contentLength value of {@code Content-Length} in octets; -1 for none
 * @param bodyless whether no body follows, whatever {@code contentLength} says: HEAD, 204, 304
 */
public record AnswerHead(
        int status, String reason, List<HeaderField> fields, long contentLength, boolean bodyless) {
    /** Checks and copies the head. */
    public AnswerHead {
        Objects.requireNonNull(reason, "reason");
        fields = List.copyOf(fields);
    }
}
