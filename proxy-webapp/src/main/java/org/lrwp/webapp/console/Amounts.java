package org.lrwp.webapp.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Writes amounts for people: each has its unit. */
final class Amounts {
    /** Stands where there is nothing to say. */
    static final String NONE = "\u2013";

    private static final DateTimeFormatter CLOCK = utc("HH:mm:ss");
    private static final String[] SIZES = {" bytes", " KiB", " MiB", " GiB", " TiB"};

    private Amounts() {}

    /** Times in UTC, by their letters. */
    static DateTimeFormatter utc(String letters) {
        return DateTimeFormatter.ofPattern(letters, Locale.ROOT).withZone(ZoneOffset.UTC);
    }

    /** A time of the day. */
    static String clock(Instant time) {
        return CLOCK.format(time);
    }

    /** A text, or the sign for none. */
    static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    /** A number, with its thousands apart. */
    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** A number with what it counts. */
    static String count(long count, String one, String more) {
        return count(count) + " " + (count == 1 ? one : more);
    }

    /** Bytes. */
    static String bytes(long bytes) {
        double size = bytes;
        int unit = 0;
        while (size >= 1024 && unit < SIZES.length - 1) {
            size /= 1024;
            unit++;
        }
        return (unit == 0 ? count(bytes) : number(size)) + SIZES[unit];
    }

    /** How long something has lasted. */
    static String age(Duration age) {
        if (age.toMillis() < 1000) {
            return age.toMillis() + " ms";
        } else if (age.toSeconds() < 120) {
            return age.toSeconds() + " s";
        } else if (age.toMinutes() < 120) {
            return age.toMinutes() + " min";
        }
        Duration whole = age.truncatedTo(ChronoUnit.HOURS);
        return whole.toHours() < 48 ? whole.toHours() + " h" : whole.toDays() + " d";
    }

    /** How long a request took. */
    static String millis(double millis) {
        if (millis >= 1000) {
            return number(millis / 1000) + " s";
        }
        return (millis >= 10 || millis == Math.rint(millis)
                        ? Long.toString(Math.round(millis))
                        : number(millis))
                + " ms";
    }

    /** How often something happens. */
    static String rate(double perSecond) {
        return perSecond >= 10 || perSecond == 0 ? count(Math.round(perSecond)) : number(perSecond);
    }

    /** With one digit behind the point. */
    static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
