package org.lrwp.webapp.config;

import java.util.Objects;

/**
 * What one client may ask of one context.
 *
 * @param rate requests a second on average; 0 = any number
 * @param burst requests that may come at once before the rate holds; at least 1
 * @param atOnce requests in flight; 0 = any number
 * @param name what tells clients apart
 */
public record ClientLimit(int rate, int burst, int atOnce, ClientName name) {
    /** Nothing is limited. */
    public static final ClientLimit NONE = new ClientLimit(0, 1, 0, ClientName.ADDRESS);

    /** Checks all values. */
    public ClientLimit {
        Objects.requireNonNull(name, "name");
        if (rate < 0 || burst < 1 || atOnce < 0) {
            throw new IllegalArgumentException(
                    "rate " + rate + ", burst " + burst + ", atOnce " + atOnce);
        }
    }

    /**
     * Says whether anything is limited.
     *
     * @return false when each request may pass unseen
     */
    public boolean isSet() {
        return rate > 0 || atOnce > 0;
    }
}
