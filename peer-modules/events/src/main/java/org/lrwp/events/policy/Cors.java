package org.lrwp.events.policy;

import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.caller.Caller;
import org.lrwp.sdk.RequestHead;

import java.util.List;
import java.util.Set;

/**
 * Which pages of other hosts may use the channels.
 *
 * @param origins as browsers send them, or {@code *}
 */
public record Cors(Set<String> origins) {
    private static final HeaderField VARY = new HeaderField("Vary", "Origin");
    private static final HeaderField EXPOSED =
            new HeaderField("Access-Control-Expose-Headers", "Last-Event-ID, Retry-After");

    /** Copies the set. */
    public Cors {
        origins = Set.copyOf(origins);
    }

    /**
     * Says whether a request comes from a page that may not use the channels. Browsers send some
     * requests before they ask.
     *
     * @param head the request
     * @return whether it has an origin that is neither this host nor allowed
     */
    public boolean isForeign(RequestHead head) {
        String origin = head.header("Origin");
        return origin != null && !isAllowed(origin) && Caller.isForeignPage(head);
    }

    private boolean isAllowed(String origin) {
        return origins.contains("*") || origins.contains(origin);
    }

    /**
     * Returns what allows a page to read the answer.
     *
     * @param head the request
     * @return headers; none when it comes from no other page, or from one that may not
     */
    public List<HeaderField> headers(RequestHead head) {
        if (origins.isEmpty()) {
            return List.of();
        }
        String origin = head.header("Origin");
        if (origin == null || !isAllowed(origin)) {
            return List.of(VARY);
        }
        if (!origins.contains(origin)) {
            return List.of(VARY, new HeaderField("Access-Control-Allow-Origin", "*"), EXPOSED);
        }
        return List.of(
                VARY,
                new HeaderField("Access-Control-Allow-Origin", origin),
                new HeaderField("Access-Control-Allow-Credentials", "true"),
                EXPOSED);
    }
}
