package org.lrwp.engine.cache;

import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.HttpHead;
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
            List.of(
                    "X-HTTP-Method",
                    "X-Method-Override",
                    "X-Original-Host",
                    "X-Host",
                    "X-HTTP-Host-Override");

    private static final String PREFIX = "x-forwarded-";

    /** Of these a peer gets what is in the key, or they are looked at apart. */
    private static final Set<KnownField> IN_KEY =
            Set.of(
                    KnownField.FORWARDED,
                    KnownField.X_FORWARDED_FOR,
                    KnownField.X_FORWARDED_PROTO,
                    KnownField.X_FORWARDED_HOST);

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /** What Connection may name: no answer depends on them. */
    private static final Set<String> HARMLESS =
            Stream.concat(HopByHopFields.ALWAYS.stream(), Stream.of("close", ""))
                    .collect(Collectors.toUnmodifiableSet());

    private KeylessFields() {}

    /** Whether a peer gets one with a request. */
    static boolean areIn(RequestHead head, PeerFields fields) {
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
        return hidesFields(head)
                || isSpelledOtherwise(head)
                || (fields.hasForwarding(head)
                        && (namesAnotherHost(head) || isForwardedOtherwise(head)));
    }

    /**
     * A final dot, a colon without a port or zeros before it: a peer gets them, and may make links
     * of them, but the key is as without. The case of letters is no harm.
     */
    private static boolean isSpelledOtherwise(RequestHead head) {
        String name = head.authority().host();
        if (name.endsWith(".")) {
            return true;
        }
        int host = head.bytes().find(KnownField.HOST);
        if (host < 0 || head.target().authority() != null) {
            return false;
        }
        int value = head.bytes().value(host);
        return HttpHead.end(value) - HttpHead.start(value) != head.authority().text().length();
    }

    /**
     * Frameworks make links of a port or a prefix, and of whether TLS was spoken. No harm where
     * that is what the key says, as a proxy in front usually has it.
     */
    private static boolean isForwardedOtherwise(RequestHead head) {
        HttpHead bytes = head.bytes();
        for (int i = 0; i < bytes.fields(); i++) {
            KnownField known = bytes.known(i);
            if ((known == null || !IN_KEY.contains(known))
                    && RequestHead.isForwarding(bytes, i)
                    && !isAsInKey(head, bytes.text(bytes.name(i)), bytes.text(bytes.value(i)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAsInKey(RequestHead head, String name, String value) {
        boolean secure = head.connection().secure();
        int port = head.authority().port();
        int usual = secure ? HTTPS_PORT : HTTP_PORT;
        return switch (name.substring(PREFIX.length()).toLowerCase(Locale.ROOT)) {
            case "port" -> value.equals(Integer.toString(port < 0 ? usual : port));
            case "scheme" -> value.equalsIgnoreCase(secure ? "https" : "http");
            case "ssl" -> value.equalsIgnoreCase(secure ? "on" : "off");
            // The name of the proxy itself, which Apache always sends.
            case "server" -> true;
            default -> false;
        };
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
            String own = head.authority().text();
            for (String value : head.values("X-Forwarded-Host")) {
                if (!value.equalsIgnoreCase(own)) {
                    return true;
                }
            }
        }
        return false;
    }
}
