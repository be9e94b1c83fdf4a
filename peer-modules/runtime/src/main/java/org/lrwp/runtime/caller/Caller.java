package org.lrwp.runtime.caller;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.network.Network;
import org.lrwp.sdk.RequestHead;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Who sends a request, as far as that can be known. Any thread; nothing blocks. */
public final class Caller {
    private static final String BEARER = "Bearer ";

    private Caller() {}

    /**
     * Returns the address of the client.
     *
     * @param head its request
     * @return its address; null when there is none, or when another proxy has forwarded the request
     *     and so the address is that proxy's, or one that it names
     */
    public static @Nullable InetAddress address(RequestHead head) {
        // Older proxies say it by passing the fields on, if they do.
        if (head.variable("LRWP_FORWARDED") != null
                || head.header("Forwarded") != null
                || head.header("X-Forwarded-For") != null) {
            return null;
        }
        String address = head.variable("REMOTE_ADDR");
        try {
            return address == null ? null : InetAddress.ofLiteral(address);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Names whom a request is counted for where guesses are: the client's address, or its network
     * of 64 bits with IPv6. Clients behind one proxy are one.
     *
     * @param head the request
     * @return an address as text; the same text for all requests without one
     */
    public static String source(RequestHead head) {
        try {
            String address = String.valueOf(head.variable("REMOTE_ADDR"));
            return Network.sourceOf(InetAddress.ofLiteral(address)).getHostAddress();
        } catch (IllegalArgumentException e) {
            return "unknown";
        }
    }

    /**
     * Says whether a web page of another host has sent a request: the {@code Origin} that browsers
     * add is not that of {@code Host} (RFC 6454).
     *
     * @param head the request
     * @return false too when it has no {@code Origin}
     */
    public static boolean isForeignPage(RequestHead head) {
        return isForeignPage(head.header("Origin"), head.header("Host"));
    }

    /**
     * The same for a request that has not come through the proxy.
     *
     * @param origin value of {@code Origin}; null when there is none
     * @param host value of {@code Host}; null when there is none
     * @return whether there is an origin, and it is not the host's
     */
    public static boolean isForeignPage(@Nullable String origin, @Nullable String host) {
        return origin != null
                && !origin.equalsIgnoreCase("http://" + host)
                && !origin.equalsIgnoreCase("https://" + host);
    }

    /**
     * Says whether a request shows a token: {@code Authorization: Bearer TOKEN}, RFC 6750 section
     * 2.1.
     *
     * @param head the request
     * @param token the bytes of the token; empty for one that nobody can show
     * @return whether it is shown whole, found out in the same time wherever it differs
     */
    public static boolean shows(RequestHead head, byte[] token) {
        String shown = head.header("Authorization");
        if (token.length == 0
                || shown == null
                || !shown.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return false;
        }
        String text = shown.substring(BEARER.length()).strip();
        return MessageDigest.isEqual(token, text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
