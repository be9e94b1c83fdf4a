package org.lrwp.engine.cache;

import org.lrwp.protocol.HeaderField;

/** The field {@code Cache-Status}, in which the cache says what it did: RFC 9211. */
final class CacheStatus {
    private static final String FIELD = "Cache-Status";
    private static final String CACHE = "lrwp";

    private CacheStatus() {}

    /** The field of an answer of the cache's own. */
    static HeaderField own() {
        return new HeaderField(FIELD, CACHE);
    }

    /**
     * The field of an answer that is stored, or a peer's.
     *
     * @param parameters of the cache, for example {@code hit; ttl=20}: RFC 9211 section 2
     */
    static HeaderField of(String parameters) {
        return new HeaderField(FIELD, CACHE + "; " + parameters);
    }
}
