package org.lrwp.files;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;

/**
 * Writes the time of log lines: a date to the second, the digits of its fraction, the offset from
 * UTC. What is the same for all lines of a second is made once, as a busy log has thousands of
 * them. Thread-safe, never blocks.
 */
public final class LineTime {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss");
    private static final int NANO_DIGITS = 9;

    private final ZoneId zone;
    private final DateTimeFormatter offset;
    private final int digits;
    private final int unit;
    private volatile Second last;

    /** The texts of one second. */
    private record Second(long epoch, String date, String offset) {}

    /**
     * Creates a form of times.
     *
     * @param zone whose time is written
     * @param offset pattern of the offset from UTC, as {@link DateTimeFormatter} reads it
     * @param digits of a second's fraction, 0 to 9; what is smaller is cut off
     */
    public LineTime(ZoneId zone, String offset, int digits) {
        if (digits < 0 || digits > NANO_DIGITS) {
            throw new IllegalArgumentException("a fraction has 0 to 9 digits, not " + digits);
        }
        this.zone = zone;
        this.offset = DateTimeFormatter.ofPattern(offset);
        this.digits = digits;
        int power = 1;
        for (int i = digits; i < NANO_DIGITS; i++) {
            power *= 10;
        }
        this.unit = power;
        this.last = second(Instant.EPOCH);
    }

    /**
     * Writes a time behind what there is.
     *
     * @param time any
     * @param line gets it
     */
    public void append(Instant time, StringBuilder line) {
        Second second = last;
        if (second.epoch() != time.getEpochSecond()) {
            second = second(time);
            last = second;
        }
        line.append(second.date());
        if (digits > 0) {
            line.append('.');
            String fraction = Integer.toString(time.get(ChronoField.NANO_OF_SECOND) / unit);
            for (int i = fraction.length(); i < digits; i++) {
                line.append('0');
            }
            line.append(fraction);
        }
        line.append(second.offset());
    }

    private Second second(Instant time) {
        ZonedDateTime there = time.atZone(zone);
        return new Second(time.getEpochSecond(), DATE.format(there), offset.format(there));
    }
}
