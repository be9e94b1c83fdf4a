package org.lrwp.download.rate;

import org.jspecify.annotations.Nullable;

/**
 * What the members of a group may send together.
 *
 * @param limit how fast
 * @param supply where its bucket gets its content from; null for time alone
 */
public record Quota(Limit limit, @Nullable Supply supply) {
    /**
     * A limit for this process alone.
     *
     * @param limit how fast
     * @return the quota
     */
    public static Quota of(Limit limit) {
        return new Quota(limit, null);
    }
}
