package org.lrwp.webapp.traffic;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.config.Coding;
import org.lrwp.webapp.config.CompressionRules;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The compression of one answer: RFC 9110 section 8.4. Whether there is one is decided by the
 * answer's head; then its body goes through this. One thread at a time; never blocks.
 */
public final class Compression implements AutoCloseable {
    private static final String VARY = "Vary";
    private static final String ACCEPT_ENCODING = "Accept-Encoding";

    /** Answers whose bytes are a whole representation, or an error's. */
    private static final Set<Integer> PARTIAL = Set.of(101, 204, 205, 206, 226, 304, 416);

    /** Of a body's bytes as the peer sent them; RFC 9530, and older ones. */
    private static final Set<String> DIGESTS =
            Set.of("content-digest", "repr-digest", "digest", "content-md5");

    private static final int NOT_MODIFIED = 304;

    private final @Nullable Coding coding;
    private final String shown;
    private final CompressionRules rules;
    private final Compressors compressors;
    private final int most;
    private @Nullable BodyEncoder encoder;

    /**
     * Prepares for an answer.
     *
     * @param rules of its context
     * @param accept the request's Accept-Encoding; empty for none
     * @param shown the request's If-None-Match; empty for none
     * @param compressors do it
     * @param most answers that may be compressed at once
     */
    public Compression(
            CompressionRules rules,
            String accept,
            String shown,
            Compressors compressors,
            int most) {
        this.shown = shown;
        this.rules = rules;
        this.compressors = compressors;
        this.most = most;
        this.coding =
                new AcceptedCodings(accept)
                        .best(rules.codings().stream().filter(Compressors::has).toList());
    }

    /**
     * Decides, and changes the head accordingly.
     *
     * @param head as the peer sent it
     * @return what the client gets; the same when nothing is compressed
     */
    public AnswerHead begin(AnswerHead head) {
        boolean confirms = head.status() == NOT_MODIFIED;
        if (!confirms && !isCompressible(head)) {
            return head;
        }
        List<HeaderField> fields = new ArrayList<>(head.fields());
        if (!varies(fields)) {
            fields.add(new HeaderField(VARY, ACCEPT_ENCODING));
        }
        if (confirms) {
            fields.replaceAll(this::asShown);
        }
        Coding chosen = coding;
        if (confirms || chosen == null || !isBegun(chosen, head)) {
            return new AnswerHead(
                    head.status(), head.reason(), fields, head.contentLength(), head.bodyless());
        }
        fields.removeIf(field -> isOfPlainBytes(field.name().toLowerCase(Locale.ROOT)));
        fields.replaceAll(Compression::weak);
        fields.add(new HeaderField("Content-Encoding", chosen.token()));
        return new AnswerHead(head.status(), head.reason(), fields, -1, head.bodyless());
    }

    private boolean isBegun(Coding chosen, AnswerHead head) {
        if (!head.bodyless()) {
            encoder = compressors.begin(chosen, most);
        }
        return head.bodyless() || isOn();
    }

    private boolean isCompressible(AnswerHead head) {
        if (PARTIAL.contains(head.status())
                || (head.contentLength() >= 0 && head.contentLength() < rules.least())) {
            return false;
        }
        String type = "";
        for (HeaderField field : head.fields()) {
            String value = field.value().toLowerCase(Locale.ROOT);
            switch (field.name().toLowerCase(Locale.ROOT)) {
                case "content-encoding", "content-range" -> {
                    return false;
                }
                case "cache-control" -> {
                    if (value.contains("no-transform")) {
                        return false;
                    }
                }
                case "content-type" -> type = value.split(";", -1)[0].strip();
                default -> {}
            }
        }
        return rules.hasType(type);
    }

    private static boolean varies(List<HeaderField> fields) {
        for (HeaderField field : fields) {
            if (field.name().equalsIgnoreCase(VARY)) {
                for (String name : field.value().split(",", -1)) {
                    if (name.strip().equals("*")
                            || name.strip().equalsIgnoreCase(ACCEPT_ENCODING)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static boolean isOfPlainBytes(String name) {
        return name.equals("accept-ranges") || DIGESTS.contains(name);
    }

    /**
     * What a client has got compressed it has with a weak validator, and 304 has that one too: RFC
     * 9110 section 15.4.5.
     */
    private HeaderField asShown(HeaderField field) {
        HeaderField weak = weak(field);
        return shown.contains(weak.value()) ? weak : field;
    }

    /** A strong validator is of other bytes: RFC 9110 section 8.8.3.3. */
    private static HeaderField weak(HeaderField field) {
        boolean strong = field.name().equalsIgnoreCase("ETag") && field.value().startsWith("\"");
        return strong ? new HeaderField(field.name(), "W/" + field.value()) : field;
    }

    /**
     * Says whether the body goes through this.
     *
     * @return false before {@link #begin}, too
     */
    public boolean isOn() {
        return encoder != null;
    }

    /**
     * Takes a piece of the body.
     *
     * @param bytes used up
     * @return what the client gets now, maybe nothing
     */
    public ByteBuffer add(ByteBuffer bytes) {
        BodyEncoder on = encoder;
        return on == null ? bytes : on.add(bytes);
    }

    /**
     * The peer has sent nothing more for now, and the client shall get what it has sent.
     *
     * @return what the client gets now
     */
    public ByteBuffer flush() {
        BodyEncoder on = encoder;
        return on == null ? ByteBuffer.allocate(0) : on.flush();
    }

    /**
     * The body is whole.
     *
     * @return the rest of what the client gets
     */
    public ByteBuffer end() {
        BodyEncoder on = encoder;
        return on == null ? ByteBuffer.allocate(0) : on.end();
    }

    /**
     * Takes a body that is there in one piece.
     *
     * @param bytes used up
     * @return all that the client gets
     */
    public ByteBuffer whole(ByteBuffer bytes) {
        ByteBuffer first = add(bytes);
        ByteBuffer rest = end();
        return ByteBuffer.allocate(first.remaining() + rest.remaining())
                .put(first)
                .put(rest)
                .flip();
    }

    @Override
    public void close() {
        BodyEncoder on = encoder;
        encoder = null;
        if (on != null) {
            compressors.end(on);
        }
    }
}
