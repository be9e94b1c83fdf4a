package org.lrwp.engine.exchange;

import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.HeaderField;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The head of an answer, ready for the client.
 *
 * @param status HTTP status, 200 to 999, or 101
 * @param reason reason phrase, may be empty
 * @param fields header fields to send in this order, without hop-by-hop fields and without {@code
 *     Content-Length}; those of a 101 have {@code Connection} and {@code Upgrade}
 * @param contentLength value of {@code Content-Length} in bytes; -1 for none
 * @param bodyless whether no body follows, whatever {@code contentLength} says: HEAD, 204, 205, 304
 */
public record AnswerHead(
        int status, String reason, List<HeaderField> fields, long contentLength, boolean bodyless) {
    /**
     * Makes the head of an answer that goes over to another protocol: RFC 9110 section 7.8.
     *
     * @param cgi the peer's head: 101, with its {@code Upgrade}
     * @return the same with {@code Connection}
     */
    static AnswerHead switching(CgiHead cgi) {
        List<HeaderField> fields = new ArrayList<>();
        fields.add(new HeaderField("Connection", "Upgrade"));
        fields.addAll(cgi.fields());
        return new AnswerHead(cgi.status(), cgi.reason(), fields, -1, true);
    }

    /** Checks and copies the head. */
    public AnswerHead {
        Objects.requireNonNull(reason, "reason");
        fields = List.copyOf(fields);
    }
}
