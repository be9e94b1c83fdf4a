package org.lrwp.sdk;

import org.lrwp.protocol.HeaderField;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The answer to one request. Immutable, as long as nobody changes the array that was given as its
 * body: it is not copied.
 */
public final class PeerResponse {
    private final int status;
    private final List<HeaderField> headers;
    private final byte[] body;

    /**
     * Creates an answer.
     *
     * @param status HTTP status, 200 to 999
     * @param headers header fields in the order they shall be sent; copied
     * @param body the octets of the body; not copied, so nobody may change them any more
     * @throws IllegalArgumentException for a status outside its range, or a header {@code Status}
     */
    public PeerResponse(int status, List<HeaderField> headers, byte[] body) {
        if (status < 200 || status > 999) {
            throw new IllegalArgumentException("status " + status + " is not within 200 to 999");
        }
        if (headers.stream().anyMatch(field -> field.name().equalsIgnoreCase("Status"))) {
            throw new IllegalArgumentException("Status is not a header of an answer");
        }
        this.status = status;
        this.headers = List.copyOf(headers);
        this.body = Objects.requireNonNull(body, "body");
    }

    /**
     * Creates a 200 answer.
     *
     * @param contentType for example {@code text/xml}
     * @param body the octets of the body
     * @return the answer
     */
    public static PeerResponse of(String contentType, byte[] body) {
        return new PeerResponse(200, List.of(new HeaderField("Content-Type", contentType)), body);
    }

    /**
     * Creates an answer of plain text in UTF-8.
     *
     * @param status HTTP status, 200 to 999
     * @param text the body
     * @return the answer
     */
    public static PeerResponse text(int status, String text) {
        return new PeerResponse(
                status,
                List.of(new HeaderField("Content-Type", "text/plain; charset=utf-8")),
                text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns this answer with one more header.
     *
     * @param name the header's name, a token
     * @param value its value, without line ends
     * @return a new answer
     */
    public PeerResponse with(String name, String value) {
        List<HeaderField> more = new ArrayList<>(headers);
        more.add(new HeaderField(name, value));
        return new PeerResponse(status, more, body);
    }

    /**
     * Returns the status.
     *
     * @return HTTP status, 200 to 999
     */
    public int status() {
        return status;
    }

    /**
     * Returns the header fields.
     *
     * @return in the order they are sent, unmodifiable
     */
    public List<HeaderField> headers() {
        return headers;
    }

    /**
     * Returns the body.
     *
     * @return its octets, not a copy: do not change them
     */
    public byte[] body() {
        return body;
    }
}
