package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;

/**
 * What a peer in this process reads of a request instead of its env block, which it mostly wants a
 * few variables of. Says what the block would say. Any thread; never blocks.
 */
public interface RequestView {
    /**
     * Returns one of the variables that each block has and that need no work.
     *
     * @param name for example {@code PATH_INFO}
     * @return its value; null when it has to be looked for in the block
     */
    @Nullable String variable(String name);

    /**
     * Says whether the block has {@code LRWP_FORWARDED}.
     *
     * @return whether somebody stands between the client and the proxy
     */
    boolean isForwarded();

    /**
     * Returns a header field as {@code HTTP_*} would have it.
     *
     * @param name letters, digits and {@code -}, in any case; not {@code Content-Type}, {@code
     *     Content-Length} or {@code X-Request-Id}, of which the block tells more
     * @return its value, repeated ones joined; null when the peer does not get it
     */
    @Nullable String header(String name);
}
