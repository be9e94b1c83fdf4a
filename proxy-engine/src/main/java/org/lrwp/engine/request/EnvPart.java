package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;

/**
 * The part of an env block that is the same for each request with the same head. Clients repeat
 * their heads on a connection, so that it need not be encoded for each request. Immutable.
 */
final class EnvPart {
    private final EnvConfig config;
    private final ScriptPath path;
    private final long bodyLength;
    private final byte @Nullable [] octets;

    /**
     * Creates a part.
     *
     * @param config how the block was made
     * @param path how the path was cut
     * @param bodyLength what the block says of the body; -1 = nothing
     * @param octets the encoded variables; null as long as the head has not come a second time
     */
    EnvPart(EnvConfig config, ScriptPath path, long bodyLength, byte @Nullable [] octets) {
        this.config = config;
        this.path = path;
        this.bodyLength = bodyLength;
        this.octets = octets;
    }

    boolean isFor(EnvConfig asked, ScriptPath where, long length) {
        return config.equals(asked) && bodyLength == length && path.equals(where);
    }

    byte @Nullable [] octets() {
        return octets;
    }
}
