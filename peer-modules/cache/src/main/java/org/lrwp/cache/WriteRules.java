package org.lrwp.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.network.Network;
import org.lrwp.sdk.RequestHead;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/** Says who may write. Any thread. */
final class WriteRules {
    private static final String BEARER = "Bearer ";

    private final byte[] token;

    WriteRules(String token) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
    }

    /** What is answered to somebody who asks to write. */
    enum Verdict {
        ALLOWED,
        UNKNOWN,
        FORBIDDEN
    }

    Verdict judge(RequestHead request, List<Network> networks) {
        String shown = request.header("Authorization");
        if (token.length > 0 && shown != null) {
            return isToken(shown) ? Verdict.ALLOWED : Verdict.UNKNOWN;
        }
        if (isFrom(request, networks)) {
            return Verdict.ALLOWED;
        }
        return token.length > 0 ? Verdict.UNKNOWN : Verdict.FORBIDDEN;
    }

    private boolean isToken(String shown) {
        return shown.regionMatches(true, 0, BEARER, 0, BEARER.length())
                && MessageDigest.isEqual(
                        token,
                        shown.substring(BEARER.length())
                                .strip()
                                .getBytes(StandardCharsets.ISO_8859_1));
    }

    private static boolean isFrom(RequestHead request, List<Network> networks) {
        // The address is another proxy's then, and not the client's.
        if (request.header("Forwarded") != null || request.header("X-Forwarded-For") != null) {
            return false;
        }
        InetAddress address = address(request.variable("REMOTE_ADDR"));
        return address != null && Network.anyContains(networks, address);
    }

    private static @Nullable InetAddress address(@Nullable String text) {
        try {
            return text == null ? null : InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
