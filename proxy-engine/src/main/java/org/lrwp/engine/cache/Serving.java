package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.HttpDate;
import org.lrwp.protocol.HeaderField;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers requests from a stored answer: conditions, RFC 9110 section 13, and one range, section
 * 14.
 */
final class Serving {
    private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");
    private static final List<String> NOT_IN_304 =
            List.of("Content-Type", "Content-Encoding", "Content-Language", "Content-Range");

    private Serving() {}

    /**
     * What is sent.
     *
     * @param head the head
     * @param bytes the body
     */
    record Served(AnswerHead head, ByteBuffer bytes) {}

    /** Makes the answer to a request; adds Age and Cache-Status. */
    static Served of(RequestHead request, StoredAnswer stored, long now, String status) {
        List<HeaderField> fields = Fields.without(stored.fields(), List.of("Age"));
        fields.add(new HeaderField("Age", Long.toString(stored.ageMillis(now) / 1000)));
        fields.add(CacheStatus.of(status));
        if (!Fields.has(fields, "Date")) {
            fields.add(
                    new HeaderField(
                            "Date", HttpDate.format(Instant.ofEpochMilli(stored.received()))));
        }
        ByteBuffer body = stored.body().duplicate();
        if (stored.status() == 200 && isNotModified(request, fields, now)) {
            return new Served(notModified(fields), ByteBuffer.allocate(0));
        }
        String range = request.first("Range");
        if (stored.status() == 200 && request.method().equals("GET") && range != null) {
            Matcher matcher = RANGE.matcher(range.strip());
            if (matcher.matches() && isRangeOf(request, stored)) {
                Served part = part(fields, body, matcher.group(1), matcher.group(2));
                if (part != null) {
                    return part;
                }
            }
        }
        boolean bodyless = request.method().equals("HEAD") || stored.status() == 204;
        long length = stored.status() == 204 ? -1 : body.remaining();
        return new Served(
                new AnswerHead(stored.status(), stored.reason(), fields, length, bodyless),
                bodyless ? ByteBuffer.allocate(0) : body);
    }

    static AnswerHead notModified(List<HeaderField> fields) {
        return new AnswerHead(304, "Not Modified", Fields.without(fields, NOT_IN_304), -1, true);
    }

    /**
     * Says whether the client has what it asks for already. An answer that does not say when it was
     * changed has not been since it was sent: RFC 9111 section 4.3.2.
     */
    static boolean isNotModified(RequestHead request, List<HeaderField> answer, long now) {
        if (!request.values("If-None-Match").isEmpty()) {
            String etag = Fields.all(answer, "ETag");
            for (String tag : Fields.list(Fields.all(request.fields(), "If-None-Match"))) {
                if (tag.equals("*") || (etag != null && opaque(tag).equals(opaque(etag)))) {
                    return true;
                }
            }
            return false;
        }
        long since = Fields.seconds(request.first("If-Modified-Since"), now);
        String told = Fields.all(answer, "Last-Modified");
        long changed = Fields.seconds(told == null ? Fields.all(answer, "Date") : told, now);
        return since >= 0 && changed >= 0 && changed <= since;
    }

    /** A tag without its weakness, to compare weakly: RFC 9110 section 8.8.3.2. */
    static String opaque(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    private static boolean isRangeOf(RequestHead request, StoredAnswer stored) {
        String condition = request.first("If-Range");
        if (condition == null) {
            return true;
        }
        String etag = stored.etag();
        if (condition.startsWith("\"")) {
            return condition.equals(etag);
        }
        String changed = stored.lastModified();
        return changed != null && changed.equals(condition) && isStrong(changed, stored);
    }

    /** In the second of a change there may be another one: RFC 9110 section 8.8.2.2. */
    private static boolean isStrong(String changed, StoredAnswer stored) {
        long received = stored.received();
        long second = Fields.seconds(changed, received);
        long date = Fields.seconds(Fields.all(stored.fields(), "Date"), received);
        return second >= 0 && second < (date < 0 ? received / 1000 : date);
    }

    private static @Nullable Served part(
            List<HeaderField> fields, ByteBuffer body, String first, String last) {
        long length = body.remaining();
        if (first.isEmpty() && last.isEmpty()) {
            return null;
        }
        long from = first.isEmpty() ? Math.max(0, length - Long.parseLong(last)) : number(first);
        long to = first.isEmpty() || last.isEmpty() ? length - 1 : number(last);
        to = Math.min(to, length - 1);
        if (!first.isEmpty() && !last.isEmpty() && number(last) < from) {
            return null;
        }
        List<HeaderField> with = new ArrayList<>(fields);
        if (from >= length) {
            with = Fields.without(with, List.of("Content-Type"));
            with.add(new HeaderField("Content-Range", "bytes */" + length));
            return new Served(
                    new AnswerHead(416, "Range Not Satisfiable", with, 0, false),
                    ByteBuffer.allocate(0));
        }
        with.add(new HeaderField("Content-Range", "bytes " + from + "-" + to + "/" + length));
        ByteBuffer part = body.slice(body.position() + (int) from, (int) (to - from + 1));
        return new Served(
                new AnswerHead(206, "Partial Content", with, part.remaining(), false), part);
    }

    /** Makes an answer of the cache's own. */
    static Served text(int status, String reason, String sentence) {
        List<HeaderField> fields = new ArrayList<>();
        fields.add(new HeaderField("Content-Type", "text/plain; charset=utf-8"));
        fields.add(new HeaderField("Cache-Control", "no-store"));
        fields.add(CacheStatus.own());
        if (status == 401) {
            fields.add(new HeaderField("WWW-Authenticate", "Bearer"));
        }
        ByteBuffer bytes = ByteBuffer.wrap((sentence + "\n").getBytes(StandardCharsets.US_ASCII));
        return new Served(new AnswerHead(status, reason, fields, bytes.remaining(), false), bytes);
    }

    private static long number(String digits) {
        return Long.parseLong(digits);
    }
}
