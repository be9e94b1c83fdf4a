package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;

/**
 * How a stored answer came to be used for a request, as three are told of it.
 *
 * @param status to the client, parameters of {@link CacheStatus} without the time that is left
 * @param word to the access log
 * @param event to the figures; null when the fetch was counted and nothing more is to be
 */
record Use(String status, String word, CacheFigures.@Nullable Event event) {
    /** Nobody was asked. */
    static Use hit(boolean fresh) {
        return of("hit", fresh);
    }

    /** It is stale, and is fetched meanwhile, for others. */
    static Use meanwhile() {
        return of("hit; detail=stale-while-revalidate", false);
    }

    /**
     * It is stale, and was asked for in vain.
     *
     * @param why it was asked for, as RFC 9211 section 2.2 names it
     * @param status of the error in whose place it stands
     * @param waited whether for the request of another
     */
    static Use onError(String why, int status, boolean waited) {
        String collapsed = waited ? "; collapsed" : "";
        return of(forwarded(why, status) + collapsed + "; detail=stale-if-error", false);
    }

    /** The peer was asked for this request, and said that it is still good. */
    static Use validated(String why) {
        return new Use(forwarded(why, 304), "cache-validated", null);
    }

    /** The peer has just sent it, or said that it is good, for the request of another. */
    static Use shared(String why, int status) {
        return of(forwarded(why, status) + "; collapsed", true);
    }

    /** What went to a peer is no hit, whatever the answer is made of: RFC 9211 section 2.1. */
    static String forwarded(String why, int status) {
        return "fwd=" + why + "; fwd-status=" + status;
    }

    private static Use of(String status, boolean fresh) {
        return fresh
                ? new Use(status, "cache-hit", CacheFigures.Event.HITS)
                : new Use(status, "cache-stale", CacheFigures.Event.STALE);
    }
}
