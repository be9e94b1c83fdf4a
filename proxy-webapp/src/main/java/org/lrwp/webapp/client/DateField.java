package org.lrwp.webapp.client;

import org.lrwp.http1.HttpDate;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The Date field, which GlassFish leaves out and an origin server must send: RFC 9110 section
 * 6.6.1. Formatted once a second. Thread-safe.
 */
public final class DateField {
    private record Formatted(long second, String text) {}

    private final InstantSource clock;
    private volatile Formatted last = new Formatted(Long.MIN_VALUE, "");

    /**
     * Creates a source of dates.
     *
     * @param clock tells the time
     */
    public DateField(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Returns the present date.
     *
     * @return in the form of HTTP
     */
    public String text() {
        long second = clock.millis() / 1000;
        Formatted known = last;
        if (known.second() != second) {
            known = new Formatted(second, HttpDate.format(Instant.ofEpochSecond(second)));
            last = known;
        }
        return known.text();
    }
}
