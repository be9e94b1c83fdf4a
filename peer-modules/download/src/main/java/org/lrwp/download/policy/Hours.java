package org.lrwp.download.policy;

import org.lrwp.runtime.configuration.ValueType;

import java.time.LocalTime;

/**
 * A part of the day; one that ends before it begins goes over midnight.
 *
 * @param from its first moment
 * @param until the first moment after it; the same as the first for all day
 */
public record Hours(LocalTime from, LocalTime until) {
    /** As users write it. */
    static final ValueType<Hours> TYPE =
            new ValueType<>("a time of day as 22:00-06:00", Hours::parse);

    private static Hours parse(String text) {
        if (text.isEmpty()) {
            return new Hours(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT);
        }
        int dash = text.indexOf('-');
        if (dash < 0) {
            throw new IllegalArgumentException(text);
        }
        return new Hours(
                LocalTime.parse(text.substring(0, dash).strip()),
                LocalTime.parse(text.substring(dash + 1).strip()));
    }

    boolean isAllDay() {
        return from.equals(until);
    }

    boolean contains(LocalTime time) {
        if (isAllDay()) {
            return true;
        }
        boolean begun = !time.isBefore(from);
        boolean over = !time.isBefore(until);
        return from.isBefore(until) ? begun && !over : begun || !over;
    }
}
