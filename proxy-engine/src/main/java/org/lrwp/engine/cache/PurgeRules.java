package org.lrwp.engine.cache;

import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Says who may purge. Any thread. */
final class PurgeRules {
    private static final String BEARER = "Bearer ";

    private final CacheConfig config;

    PurgeRules(CacheConfig config) {
        this.config = config;
    }

    /** What is answered to somebody who asks to purge. */
    enum Verdict {
        ALLOWED,
        UNKNOWN,
        FORBIDDEN
    }

    Verdict judge(FrontRequest request) {
        String shown = request.head().first("Authorization");
        boolean token = !config.purgeToken().isEmpty();
        if (token && shown != null) {
            return isToken(shown) ? Verdict.ALLOWED : Verdict.UNKNOWN;
        }
        if (isFrom(request)) {
            return Verdict.ALLOWED;
        }
        return token ? Verdict.UNKNOWN : Verdict.FORBIDDEN;
    }

    private boolean isToken(String shown) {
        return shown.regionMatches(true, 0, BEARER, 0, BEARER.length())
                && MessageDigest.isEqual(
                        config.purgeToken().getBytes(StandardCharsets.UTF_8),
                        shown.substring(BEARER.length())
                                .strip()
                                .getBytes(StandardCharsets.ISO_8859_1));
    }

    private boolean isFrom(FrontRequest request) {
        // The address is another proxy's then, or what that one says.
        if (request.head().isForwarded()) {
            return false;
        }
        try {
            return Network.anyContains(
                    config.purgeNetworks(), InetAddress.ofLiteral(request.client()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
