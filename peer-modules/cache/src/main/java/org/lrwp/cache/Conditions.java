package org.lrwp.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.RequestHead;

/**
 * What a request wants to be true of the image that is in the cache: RFC 9110 section 13. An image
 * has no date, so only those conditions count that name entity tags.
 */
final class Conditions {
    private static final String MATCH = "If-Match";
    private static final String NONE_MATCH = "If-None-Match";

    private Conditions() {}

    /** Says whether a request has any. */
    static boolean areIn(RequestHead request) {
        return request.header(MATCH) != null || request.header(NONE_MATCH) != null;
    }

    /**
     * Says whether an image may be written or deleted.
     *
     * @param etag of the image that is there, null when there is none
     */
    static boolean allowChange(RequestHead request, @Nullable String etag) {
        String match = request.header(MATCH);
        if (match != null && (etag == null || !lists(match, etag, true))) {
            return false;
        }
        return etag == null || !isKnown(request, etag);
    }

    /** Says whether the client has that image already, or wants that there is none. */
    static boolean isKnown(RequestHead request, String etag) {
        String known = request.header(NONE_MATCH);
        return known != null && lists(known, etag, false);
    }

    /** If-Match compares strongly, If-None-Match weakly. */
    private static boolean lists(String field, String etag, boolean strong) {
        for (String one : field.split(",", -1)) {
            String tag = one.strip();
            if (tag.equals("*") || tag.equals(etag) || (!strong && tag.equals("W/" + etag))) {
                return true;
            }
        }
        return false;
    }
}
