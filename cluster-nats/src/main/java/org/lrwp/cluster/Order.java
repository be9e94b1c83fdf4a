package org.lrwp.cluster;

import java.util.Objects;

/**
 * What an operator wants a node to do.
 *
 * @param kind what
 * @param subject the peer that is meant; empty when it is the node
 * @param operator who wants it
 */
public record Order(Kind kind, String subject, String operator) {
    /** What can be wanted. */
    public enum Kind {
        /** No new requests are to be sent to the node. */
        DRAIN_NODE('d'),
        /** They are again. */
        RESUME_NODE('r'),
        /** A peer gets no new requests. */
        DRAIN_PEERS('D'),
        /** It gets them again. */
        RESUME_PEERS('R');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        char letter() {
            return letter;
        }

        static Kind of(int letter) {
            for (Kind one : values()) {
                if (one.letter == letter) {
                    return one;
                }
            }
            throw new IllegalArgumentException("order " + letter);
        }
    }

    /** Checks that nothing is missing. */
    public Order {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(operator, "operator");
    }
}
