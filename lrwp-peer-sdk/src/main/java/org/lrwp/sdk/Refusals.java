package org.lrwp.sdk;

import org.lrwp.protocol.HeaderField;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The answers that a peer gives when its handler gives none. */
final class Refusals {
    private Refusals() {}

    static PeerResponse failed() {
        return PeerResponse.text(500, "internal error");
    }

    static PeerResponse tooLarge() {
        return PeerResponse.text(413, "body too large");
    }

    /** A refusal where the version, or its lateness, leaves no other way. */
    static PeerResponse unavailable() {
        return new PeerResponse(
                503,
                List.of(
                        new HeaderField("Content-Type", "text/plain; charset=utf-8"),
                        new HeaderField("Retry-After", "1")),
                "refused".getBytes(StandardCharsets.UTF_8));
    }
}
