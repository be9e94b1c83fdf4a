package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.RequestHead;

import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fields of requests as peers get them: an answer was made from these, whatever the client has
 * sent beside. Any thread.
 */
final class PeerFields {
    private static final Pattern PROTO = Pattern.compile("(?i)(?:^|[;,\\s])proto=\"?([a-z]+)");

    private final Predicate<RequestHead> believed;

    /**
     * Creates it.
     *
     * @param believed whether the forwarding fields of a request are passed on
     */
    PeerFields(Predicate<RequestHead> believed) {
        this.believed = believed;
    }

    /**
     * The value that a peer gets.
     *
     * @param name in any case
     * @return the values of all fields of that name; null when the peer gets none
     */
    @Nullable String value(RequestHead request, String name) {
        boolean hidden = RequestHead.isForwarding(name) && !believed.test(request);
        return hidden ? null : request.joined(name);
    }

    /** Whether a peer gets forwarding fields. */
    boolean hasForwarding(RequestHead request) {
        return request.hasForwardingFields() && believed.test(request);
    }

    /** Whether TLS was spoken: a peer may send those to https who come without it. */
    String scheme(RequestHead request) {
        String told = value(request, "X-Forwarded-Proto");
        String forwarded = told == null ? value(request, "Forwarded") : null;
        if (forwarded != null) {
            Matcher proto = PROTO.matcher(forwarded);
            told = proto.find() ? proto.group(1) : null;
        }
        String own = request.connection().secure() ? "https" : "http";
        return told == null ? own : own + " " + told.toLowerCase(Locale.ROOT);
    }
}
