package org.lrwp.webapp.config;

import java.time.Duration;
import java.util.Objects;

/**
 * How clients are kept on HTTPS.
 *
 * @param redirectPort port of HTTPS that plain requests are sent to; 0 = they are answered
 * @param remembered how long browsers are told to ask by HTTPS only (RFC 6797); 0 = they are not
 */
public record HttpsRules(int redirectPort, Duration remembered) {
    private static final int LAST_PORT = 0xFFFF;

    /** Checks both. */
    public HttpsRules {
        Objects.requireNonNull(remembered, "remembered");
        if (redirectPort < 0 || redirectPort > LAST_PORT || remembered.isNegative()) {
            throw new IllegalArgumentException(
                    "redirectPort " + redirectPort + ", remembered " + remembered);
        }
    }
}
