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
     * The proxy shows that it has the peer's key, and asks for the same.
     *
     * @param challenge what to check and to answer
     */
    record KeyChallenged(KeyChallenge challenge) implements HandshakeReply {
        /** Checks the challenge. */
        public KeyChallenged {
            Objects.requireNonNull(challenge, "challenge");
        }
    }

    /**
     * The registration is refused and the connection closed.
     *
     * @param text the proxy's words, as they came
     * @param framed whether they came as {@code REJECTED FF text FF}: the proxy then knows the
     *     version it was asked for, and an older one is no remedy
     */
    record Refused(String text, boolean framed) implements HandshakeReply {
        /** Checks the text. */
        public Refused {
            Objects.requireNonNull(text, "text");
        }
    }
}
