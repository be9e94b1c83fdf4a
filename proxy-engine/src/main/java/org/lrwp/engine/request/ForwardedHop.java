package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;

/**
 * What a proxy says of whoever sent it a request.
 *
 * @param address its address; null when that cannot be read
 * @param port its port; 0 when it is not told
 * @param secure whether it came by TLS; null when it is not told
 */
record ForwardedHop(@Nullable InetAddress address, int port, @Nullable Boolean secure) {
    /** Reads a scheme; null when it is not one of HTTP. */
    static @Nullable Boolean isSecure(String scheme) {
        if (scheme.equalsIgnoreCase("https")) {
            return true;
        }
        return scheme.equalsIgnoreCase("http") ? false : null;
    }

    /** The hops of a request, the one next to this proxy first. */
    interface Chain {
        /** Takes the next hop; null when there is none. */
        @Nullable ForwardedHop next();
    }
}
