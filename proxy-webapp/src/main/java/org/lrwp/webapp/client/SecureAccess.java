package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.webapp.config.HttpsRules;

/** Keeps clients on HTTPS: redirects plain requests, and tells browsers to remember. */
public final class SecureAccess {
    /** The field of RFC 6797 section 6.1. */
    public static final String FIELD = "Strict-Transport-Security";

    private static final String SCHEME_END = "://";
    private static final String CHALLENGES = "/.well-known/acme-challenge/";
    private static final int HTTPS_PORT = 443;
    private static final int PERMANENT_REDIRECT = 308;

    private SecureAccess() {}

    /**
     * Says where a plain request has to go instead. Those of a certification authority stay, which
     * asks on the plain port: RFC 8555 section 8.3.
     *
     * @param head a request, not for the proxy's own pages
     * @param rules what the configuration says
     * @return the redirect; null when the request is answered as it is
     */
    public static @Nullable ErrorAnswer redirect(RequestHead head, HttpsRules rules) {
        if (rules.redirectPort() == 0
                || head.connection().secure()
                || head.target().path().equals("*")
                || head.target().path().startsWith(CHALLENGES)) {
            return null;
        }
        String port = rules.redirectPort() == HTTPS_PORT ? "" : ":" + rules.redirectPort();
        String location = "https://" + head.authority().host() + port + pathAndQuery(head);
        return new ErrorAnswer(
                PERMANENT_REDIRECT, "https-redirect", "This is served by HTTPS only.", 0, location);
    }

    /** The target as it was sent, without scheme and host. */
    private static String pathAndQuery(RequestHead head) {
        String raw = head.target().raw();
        if (raw.startsWith("/")) {
            return raw;
        }
        int path = raw.indexOf('/', raw.indexOf(SCHEME_END) + SCHEME_END.length());
        return path < 0 ? "/" : raw.substring(path);
    }

    /**
     * Returns what browsers are told.
     *
     * @param head a request; null when it cannot be believed
     * @param rules what the configuration says
     * @return the value of {@link #FIELD}; empty when the answer has none
     */
    public static String remembered(@Nullable RequestHead head, HttpsRules rules) {
        if (rules.remembered().isZero() || head == null || !head.connection().secure()) {
            return "";
        }
        // Never 0, which has a browser forget it.
        return "max-age=" + Math.ceilDiv(rules.remembered().toMillis(), 1_000);
    }
}
