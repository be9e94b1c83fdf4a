package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.CgiHead;
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
    // Null when the body is there whole.
    private final @Nullable BodyWriter writer;
    private final @Nullable Upgraded upgraded;

    /**
     * Creates an answer.
     *
     * @param status HTTP status, 200 to 999
     * @param headers header fields in the order they shall be sent; copied
     * @param body the bytes of the body; not copied, so nobody may change them any more
     * @throws IllegalArgumentException for a status outside its range, or a header {@code Status}
     */
    public PeerResponse(int status, List<HeaderField> headers, byte[] body) {
        this(status, headers, Objects.requireNonNull(body, "body"), null);
    }

    private PeerResponse(
            int status, List<HeaderField> headers, byte[] body, @Nullable BodyWriter writer) {
        ResponseHead.check(status, headers);
        this.status = status;
        this.headers = List.copyOf(headers);
        this.body = body;
        this.writer = writer;
        this.upgraded = null;
    }

    /**
     * Creates a 200 answer whose body is written bit by bit: each flush is on its way to the client
     * at once. Its length need not be known. LRWP 1 and 2 have to know it, so there the body is
     * gathered in memory and sent when it is whole.
     *
     * @param contentType for example {@code text/event-stream}
     * @param writer writes the body
     * @return the answer
     */
    public static PeerResponse streamed(String contentType, BodyWriter writer) {
        return streamed(200, List.of(new HeaderField("Content-Type", contentType)), writer);
    }

    /**
     * Creates an answer whose body is written bit by bit, like {@link #streamed(String,
     * BodyWriter)}.
     *
     * @param status HTTP status, 200 to 999
     * @param headers header fields in the order they shall be sent; a {@code Content-Length} among
     *     them must be kept
     * @param writer writes the body
     * @return the answer
     * @throws IllegalArgumentException for a status outside its range, or a header {@code Status}
     */
    public static PeerResponse streamed(int status, List<HeaderField> headers, BodyWriter writer) {
        return new PeerResponse(
                status, headers, new byte[0], Objects.requireNonNull(writer, "writer"));
    }

    /**
     * Goes over to a protocol that the client has offered (status 101): both directions are given
     * to a handler. Only when {@link RequestHead#offers} says so; LRWP 1 and 2 cannot.
     *
     * @param protocol for example {@code websocket}
     * @param headers header fields of the 101, without {@code Connection} and {@code Upgrade}
     * @param tunnel speaks with the client
     * @return the answer
     */
    public static PeerResponse upgraded(
            String protocol, List<HeaderField> headers, TunnelHandler tunnel) {
        return new PeerResponse(new Upgraded(protocol, List.copyOf(headers), tunnel));
    }

    /** An answer that goes over to another protocol. */
    record Upgraded(String protocol, List<HeaderField> headers, TunnelHandler tunnel) {}

    private PeerResponse(Upgraded upgraded) {
        this.status = CgiHead.SWITCHING_PROTOCOLS;
        this.headers = upgraded.headers();
        this.body = new byte[0];
        this.writer = null;
        this.upgraded = upgraded;
    }

    /** What it goes over to; null for an answer of HTTP. */
    @Nullable Upgraded upgraded() {
        return upgraded;
    }

    /**
     * Creates a 200 answer.
     *
     * @param contentType for example {@code text/xml}
     * @param body the bytes of the body
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
        return new PeerResponse(status, more, body, writer);
    }

    /**
     * Returns the status.
     *
     * @return HTTP status, 200 to 999; 101 for {@link #upgraded}
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
     * @return its bytes, not a copy: do not change them; none when the answer is streamed
     */
    public byte[] body() {
        return body;
    }

    /**
     * Returns who writes the body.
     *
     * @return the writer of a streamed answer, null when {@link #body()} has it all
     */
    public @Nullable BodyWriter writer() {
        return writer;
    }
}
