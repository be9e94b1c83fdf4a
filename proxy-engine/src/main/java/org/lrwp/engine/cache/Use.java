package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;

/**
 * How a stored answer came to be used for a request, as three are told of it.
 *
 * @param status to the client, in {@code Cache-Status}, without the time that is left
 * @param word to the access log
 * @param event to the figures; null when the fetch was counted and nothing more is to be
 */
record Use(String status, String word, CacheFigures.@Nullable Event event) {
    /** Nobody was asked. */
    static Use hit(boolean fresh) {
        return of(ResponseCache.HIT, fresh);
    }

    /** It is stale, and is fetched meanwhile. */
    static Use meanwhile() {
        return of(ResponseCache.STALE_MEANWHILE, false);
    }

    /** It is stale, and the peer failed. */
    static Use onError() {
        return of(ResponseCache.STALE_ERROR, false);
    }

    /** The peer was asked for this request, and said that it is still good. */
    static Use validated() {
        return new Use(ResponseCache.VALIDATED, "cache-validated", null);
    }

    /** The peer has just sent it, or said that it is good, for the request of another. */
    static Use shared(String status) {
        return of(status, true);
    }

    private static Use of(String status, boolean fresh) {
        return fresh
                ? new Use(status, "cache-hit", CacheFigures.Event.HITS)
                : new Use(status, "cache-stale", CacheFigures.Event.STALE);
    }
}
