package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.protocol.HeaderField;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer in the cache.
 *
 * @param status HTTP status
 * @param reason reason phrase
 * @param fields its header fields
 * @param received when it came, milliseconds of the epoch
 * @param initialAge how old it was then, in milliseconds: RFC 9111 section 4.2.3
 * @param lifetime how long it is fresh, in milliseconds of its age
 * @param body its bytes, from position to limit
 */
record StoredAnswer(
        int status,
        String reason,
        List<HeaderField> fields,
        long received,
        long initialAge,
        long lifetime,
        ByteBuffer body) {
    StoredAnswer {
        fields = List.copyOf(fields);
    }

    long ageMillis(long now) {
        return initialAge + Math.max(0, now - received);
    }

    boolean isFresh(long now) {
        return ageMillis(now) < lifetime;
    }

    /** Returns for how long it has been stale, in milliseconds; negative while it is fresh. */
    long staleness(long now) {
        return ageMillis(now) - lifetime;
    }

    AnswerHead head() {
        return new AnswerHead(status, reason, fields, body.remaining(), false);
    }

    Directives directives() {
        return Directives.ofAnswer(fields);
    }

    @Nullable String etag() {
        return Fields.all(fields, "ETag");
    }

    @Nullable String lastModified() {
        return Fields.all(fields, "Last-Modified");
    }

    boolean hasValidator() {
        return etag() != null || lastModified() != null;
    }

    /** Returns this answer, made valid again by a 304: RFC 9111 sections 3.2 and 4.3.4. */
    StoredAnswer refreshed(AnswerHead head, Freshness times, double heuristic) {
        List<String> names = new ArrayList<>();
        List<HeaderField> newer =
                Fields.without(
                        head.fields(),
                        List.of("Content-Length", "Content-Encoding", "Content-Range"));
        newer.forEach(field -> names.add(field.name()));
        List<HeaderField> merged = Fields.without(fields, names);
        merged.addAll(newer);
        AnswerHead whole = new AnswerHead(status, reason, merged, body.remaining(), false);
        Freshness again = times.of(whole, head, heuristic);
        return new StoredAnswer(
                status,
                reason,
                merged,
                again.received(),
                again.initialAge(),
                again.lifetime(),
                body);
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256 + body.remaining());
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeShort(status);
            out.writeLong(received);
            out.writeLong(initialAge);
            out.writeLong(lifetime);
            text(out, reason);
            out.writeShort(fields.size());
            for (HeaderField field : fields) {
                text(out, field.name());
                text(out, field.value());
            }
            byte[] content = new byte[body.remaining()];
            body.duplicate().get(content);
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static StoredAnswer decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int status = Short.toUnsignedInt(in.getShort());
        long received = in.getLong();
        long initialAge = in.getLong();
        long lifetime = in.getLong();
        String reason = text(in);
        int count = Short.toUnsignedInt(in.getShort());
        List<HeaderField> fields = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            fields.add(new HeaderField(text(in), text(in)));
        }
        return new StoredAnswer(status, reason, fields, received, initialAge, lifetime, in);
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(ByteBuffer in) {
        int length = in.getInt();
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
