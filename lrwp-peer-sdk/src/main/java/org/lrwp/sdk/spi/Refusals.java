package org.lrwp.sdk.spi;

import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.PeerResponse;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The answers that a peer gives when its handler gives none. */
public final class Refusals {
    private Refusals() {}

    /**
     * Returns the answer when a handler has failed.
     *
     * @return 500
     */
    public static PeerResponse failed() {
        return PeerResponse.text(500, "internal error");
    }

    /**
     * Returns the answer to a body above the peer's limit.
     *
     * @return 413
     */
    public static PeerResponse tooLarge() {
        return PeerResponse.text(413, "body too large");
    }

    /**
     * Returns a refusal where the version, or its lateness, leaves no other way.
     *
     * @return 503 with Retry-After
     */
    public static PeerResponse unavailable() {
        return new PeerResponse(
                503,
                List.of(
                        new HeaderField("Content-Type", "text/plain; charset=utf-8"),
                        new HeaderField("Retry-After", "1")),
                "refused".getBytes(StandardCharsets.UTF_8));
    }
}
