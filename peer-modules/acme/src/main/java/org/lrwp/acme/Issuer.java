package org.lrwp.acme;

import java.io.IOException;
import java.time.Duration;

/** Where certificates come from. One thread at a time; it may be interrupted. */
interface Issuer {
    /** An order has failed. */
    final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        private final Duration retryAfter;

        /**
         * Creates the exception.
         *
         * @param reason why, for people; may hold what the other side has said
         * @param retryAfter how long to wait before the next order, zero when nothing is said
         */
        RefusedException(String reason, Duration retryAfter, Throwable cause) {
            super(reason, cause);
            this.retryAfter = retryAfter;
        }

        Duration retryAfter() {
            return retryAfter;
        }
    }

    /**
     * Orders a certificate for a new key; blocks until it is there.
     *
     * @return the pair, with whatever names and times the other side has put into it
     * @throws IOException when there is none
     */
    CertifiedKey issue() throws IOException, InterruptedException;
}
