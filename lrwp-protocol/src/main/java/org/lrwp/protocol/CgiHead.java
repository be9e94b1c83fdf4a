package org.lrwp.protocol;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The head of an answer as the client shall get it: docs/protocol.md section 6.
 *
 * @param status HTTP status, 200 to 999, or {@link #SWITCHING_PROTOCOLS}
 * @param reason the peer's reason phrase, of bytes that a header value may have; empty when it gave
 *     none
 * @param fields header fields in the order sent, without the hop-by-hop ones, {@code Status} and
 *     {@code Content-Length}; with the status 101 {@code Upgrade} stays
 * @param contentLength what the peer said the length of the body is, in bytes; null when it said
 *     nothing
 */
public record CgiHead(
        int status, String reason, List<HeaderField> fields, @Nullable Long contentLength) {
    /** The status of an answer that makes the connection a tunnel: RFC 9110 section 15.2.2. */
    public static final int SWITCHING_PROTOCOLS = 101;

    /** Checks and copies the head. */
    public CgiHead {
        if ((status < 200 && status != SWITCHING_PROTOCOLS) || status > 999) {
            throw new IllegalArgumentException("status " + status + " is not within 200 to 999");
        }
        if (!HeaderField.isValue(reason)) {
            throw new IllegalArgumentException("reason phrase holds a control");
        }
        fields = List.copyOf(fields);
        if (contentLength != null && contentLength < 0) {
            throw new IllegalArgumentException("content length " + contentLength);
        }
    }

    /**
     * Returns the first value of a field.
     *
     * @param name the field's name, in any case
     * @return its value, or null when it is not there
     */
    public @Nullable String first(String name) {
        for (HeaderField field : fields) {
            if (field.name().equalsIgnoreCase(name)) {
                return field.value();
            }
        }
        return null;
    }

    /**
     * Says whether the peer goes over to another protocol.
     *
     * @return true for 101; then {@code first("Upgrade")} names the protocol
     */
    public boolean isUpgrade() {
        return status == SWITCHING_PROTOCOLS;
    }

    /**
     * Says whether an answer with this head has no body, whatever the peer sent: RFC 9110 sections
     * 6.4.1 and 15.3.6.
     *
     * @param method the request's method
     * @return true for HEAD and for the statuses 204, 205 and 304
     */
    public boolean isBodyless(String method) {
        return method.equals("HEAD") || status == 204 || status == 205 || status == 304;
    }
}
