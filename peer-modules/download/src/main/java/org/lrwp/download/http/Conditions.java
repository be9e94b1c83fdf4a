package org.lrwp.download.http;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.RequestHead;

import java.time.Instant;

/**
 * The conditional headers of one request, in the order of RFC 9110 section 13.2.2.
 *
 * @param request its head
 * @param etag strong, of what would be sent
 * @param modified when that changed last, whole seconds count
 */
record Conditions(RequestHead request, String etag, Instant modified) {
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
            Instant date = HttpDate.parse(since);
            if (date != null && seconds() > date.getEpochSecond()) {
                return Outcome.FAILED;
            }
        }
        String noneMatch = request.header("If-None-Match");
        if (noneMatch != null) {
            return lists(noneMatch, false) ? Outcome.NOT_MODIFIED : Outcome.SEND;
        }
        String modifiedSince = request.header("If-Modified-Since");
        Instant date = modifiedSince == null ? null : HttpDate.parse(modifiedSince);
        return date != null && seconds() <= date.getEpochSecond()
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
        @Nullable Instant date = HttpDate.parse(value);
        return date != null && date.getEpochSecond() == seconds();
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
