package org.lrwp.protocol;

import java.util.Objects;

/** What a proxy says to a startup string: docs/protocol.md section 3. */
public sealed interface HandshakeReply {
    /** The context is registered; requests follow. */
    record Accepted() implements HandshakeReply {}

    /**
     * The proxy wants to know whether the peer has the context's secret.
     *
     * @param challenge what to answer
     */
    record Challenged(Challenge challenge) implements HandshakeReply {
        /** Checks the challenge. */
        public Challenged {
            Objects.requireNonNull(challenge, "challenge");
        }
    }

    /**
     * The registration is refused and the connection closed.
     *
     * @param text the proxy's words, as they came
     */
    record Refused(String text) implements HandshakeReply {
        /** Checks the text. */
        public Refused {
            Objects.requireNonNull(text, "text");
        }
    }
}
