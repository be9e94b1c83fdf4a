package org.lrwp.download.http;

import org.jspecify.annotations.Nullable;
import org.lrwp.http1.HttpDate;
import org.lrwp.sdk.RequestHead;

import java.time.Instant;

/**
 * The conditional headers of one request, in the order of RFC 9110 section 13.2.2.
 *
 * @param request its head
 * @param etag strong, of what would be sent
 * @param modified when that changed last, whole seconds count; may be in the future
 * @param now the time of the answer
 */
record Conditions(RequestHead request, String etag, Instant modified, Instant now) {
    /** What the conditions say. */
    enum Outcome {
        SEND,
        NOT_MODIFIED,
        FAILED
    }

    Outcome outcome() {
        String match = request.header("If-Match");
        String since = request.header("If-Unmodified-Since");
        if (match != null) {
            if (!lists(match, true)) {
                return Outcome.FAILED;
            }
        } else if (since != null) {
            Instant date = HttpDate.parse(since, now);
            if (date != null && (isInTheFuture() || seconds() > date.getEpochSecond())) {
                return Outcome.FAILED;
            }
        }
        String noneMatch = request.header("If-None-Match");
        if (noneMatch != null) {
            return lists(noneMatch, false) ? Outcome.NOT_MODIFIED : Outcome.SEND;
        }
        String modifiedSince = request.header("If-Modified-Since");
        Instant date = modifiedSince == null ? null : HttpDate.parse(modifiedSince, now);
        return date != null && !isInTheFuture() && seconds() <= date.getEpochSecond()
                ? Outcome.NOT_MODIFIED
                : Outcome.SEND;
    }

    /** Says whether a Range header counts: RFC 9110 section 13.1.5. */
    boolean rangeCounts() {
        String header = request.header("If-Range");
        if (header == null) {
            return true;
        }
        String value = header.strip();
        if (value.startsWith("\"") || value.startsWith("W/")) {
            return value.equals(etag);
        }
        @Nullable Instant date = HttpDate.parse(value, now);
        // In the second of a change there may be another one: RFC 9110 section 8.8.2.2.
        return date != null
                && date.getEpochSecond() == seconds()
                && seconds() < now.getEpochSecond();
    }

    /** Returns what the client is told; never in the future: RFC 9110 section 8.8.2.1. */
    Instant lastModified() {
        return modified.isAfter(now) ? now : modified;
    }

    /** Such a time says nothing of when the file was changed, so no date tells it is the same. */
    private boolean isInTheFuture() {
        return seconds() > now.getEpochSecond();
    }

    private long seconds() {
        return modified.getEpochSecond();
    }

    private boolean lists(String header, boolean strong) {
        String rest = header.strip();
        if (rest.equals("*")) {
            return true;
        }
        int at = 0;
        while (at < rest.length()) {
            int open = rest.indexOf('"', at);
            int close = open < 0 ? -1 : rest.indexOf('"', open + 1);
            if (close < 0) {
                return false;
            }
            boolean weak = open >= 2 && rest.startsWith("W/", open - 2);
            if (!(weak && strong) && rest.substring(open, close + 1).equals(etag)) {
                return true;
            }
            at = close + 1;
        }
        return false;
    }
}
