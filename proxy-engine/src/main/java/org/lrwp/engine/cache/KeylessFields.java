package org.lrwp.engine.cache;

import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.KnownField;
import org.lrwp.protocol.HopByHopFields;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Fields that have a peer answer something else than the URL says, and that no answer names in
 * {@code Vary}. With one of them an answer could be put before those who did not ask for it.
 */
final class KeylessFields {
    private static final List<String> OTHERS =
            List.of("X-HTTP-Method", "X-Method-Override", "X-Original-Host", "X-Forwarded-Prefix");

    /** What Connection may name: no answer depends on them. */
    private static final Set<String> HARMLESS =
            Stream.concat(HopByHopFields.ALWAYS.stream(), Stream.of("close", ""))
                    .collect(Collectors.toUnmodifiableSet());

    private KeylessFields() {}

    /** Whether a request has one. */
    static boolean areIn(RequestHead head) {
        if (head.bytes().find(KnownField.X_ORIGINAL_URL) >= 0
                || head.bytes().find(KnownField.X_REWRITE_URL) >= 0
                || head.bytes().find(KnownField.X_HTTP_METHOD_OVERRIDE) >= 0) {
            return true;
        }
        for (String name : OTHERS) {
            if (head.bytes().find(name, 0) >= 0) {
                return true;
            }
        }
        return hidesFields(head) || namesAnotherHost(head);
    }

    /**
     * Fields that Connection names are not passed on: the answer is not that to a request with
     * them, as its key would say.
     */
    private static boolean hidesFields(RequestHead head) {
        for (String name : head.connectionOptions()) {
            if (!HARMLESS.contains(name) && head.bytes().find(name, 0) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** A proxy in front may say which host it was asked for: no harm where that is Host's. */
    private static boolean namesAnotherHost(RequestHead head) {
        if (head.bytes().find(KnownField.FORWARDED) >= 0) {
            for (String value : head.values("Forwarded")) {
                if (value.toLowerCase(Locale.ROOT).contains("host=")) {
                    return true;
                }
            }
        }
        if (head.bytes().find(KnownField.X_FORWARDED_HOST) >= 0) {
            int port = head.authority().port();
            String own = head.authority().host() + (port < 0 ? "" : ":" + port);
            for (String value : head.values("X-Forwarded-Host")) {
                if (!value.equalsIgnoreCase(own)) {
                    return true;
                }
            }
        }
        return false;
    }
}
