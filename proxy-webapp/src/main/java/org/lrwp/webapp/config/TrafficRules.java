package org.lrwp.webapp.config;

import java.util.Objects;

/**
 * What the proxy does to the requests and answers of one context, beside passing them on.
 *
 * @param limit what one client may ask
 * @param request changes of the request's fields, before the peer gets them
 * @param answer changes of the answer's fields, before the client gets them
 * @param compression which answers are compressed
 * @param sticky the cookie by which clients come back to a process
 * @param inspect what the inspector keeps
 * @param errors pages in place of the proxy's own errors
 */
public record TrafficRules(
        ClientLimit limit,
        FieldChanges request,
        FieldChanges answer,
        CompressionRules compression,
        StickyRules sticky,
        InspectRules inspect,
        ErrorPages errors) {
    /** Requests and answers pass as they are. */
    public static final TrafficRules NONE =
            new TrafficRules(
                    ClientLimit.NONE,
                    FieldChanges.NONE,
                    FieldChanges.NONE,
                    CompressionRules.NONE,
                    StickyRules.NONE,
                    InspectRules.NONE,
                    ErrorPages.NONE);

    /** Checks that nothing is missing. */
    public TrafficRules {
        Objects.requireNonNull(limit, "limit");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(answer, "answer");
        Objects.requireNonNull(compression, "compression");
        Objects.requireNonNull(sticky, "sticky");
        Objects.requireNonNull(inspect, "inspect");
        Objects.requireNonNull(errors, "errors");
    }
}
