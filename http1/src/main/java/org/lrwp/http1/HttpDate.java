package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Dates as HTTP writes and reads them: RFC 9110 section 5.6.7. Blocks nobody; any thread. */
public final class HttpDate {
    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private static final String WEEKDAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
    private static final String LONG_WEEKDAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
    private static final String DAY = "(?<day>[0-9]{2})";
    private static final String MONTH =
            Stream.of(Month.values())
                    .map(HttpDate::name)
                    .collect(Collectors.joining("|", "(?<month>", ")"));
    private static final String YEAR = "(?<year>[0-9]{4})";
    private static final String TIME = "(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})";

    /** The form that is written today. */
    private static final Pattern FIXED = form(WEEKDAY + ",", DAY, MONTH, YEAR, TIME, "GMT");

    /** The form of RFC 850, whose year has two digits. */
    private static final Pattern RFC_850 =
            form(LONG_WEEKDAY + ",", DAY + "-" + MONTH + "-(?<year>[0-9]{2})", TIME, "GMT");

    /** The form of asctime in C, whose day may begin with a space. */
    private static final Pattern ASCTIME = form(WEEKDAY, MONTH, "(?<day>[ 0-9][0-9])", TIME, YEAR);

    /** A year of two digits is never further in the future than this. */
    private static final int YEARS_AHEAD = 50;

    private static final int LEAP_SECOND = 60;

    private HttpDate() {}

    private static String name(Month month) {
        return month.getDisplayName(TextStyle.SHORT, Locale.ROOT);
    }

    private static Pattern form(String... parts) {
        return Pattern.compile(String.join(" ", parts));
    }

    /**
     * Writes a date.
     *
     * @param instant years 0 to 9999; parts of a second are left out
     * @return the date in the form IMF-fixdate
     */
    public static String format(Instant instant) {
        return FORM.format(instant);
    }

    /**
     * Reads a date in any of the three forms. The day of the week has to be one, and may be wrong.
     *
     * @param text the value of a header
     * @param now for a year of two digits: it is the last one that ends so and is not more than 50
     *     years ahead
     * @return whole seconds; null when it is no date
     */
    public static @Nullable Instant parse(String text, Instant now) {
        String date = text.strip();
        try {
            for (Pattern form : List.of(FIXED, ASCTIME)) {
                Matcher found = form.matcher(date);
                if (found.matches()) {
                    return instant(found, number(found, "year"));
                }
            }
            Matcher found = RFC_850.matcher(date);
            return found.matches() ? ofTwoDigits(found, now) : null;
        } catch (DateTimeException e) {
            // Such as the 30th of February.
            return null;
        }
    }

    private static Instant ofTwoDigits(Matcher found, Instant now) {
        LocalDateTime limit = LocalDateTime.ofInstant(now, ZoneOffset.UTC).plusYears(YEARS_AHEAD);
        int year = limit.getYear() - Math.floorMod(limit.getYear() - number(found, "year"), 100);
        boolean late =
                year == limit.getYear()
                        && instant(found, year).isAfter(limit.toInstant(ZoneOffset.UTC));
        return instant(found, late ? year - 100 : year);
    }

    private static Instant instant(Matcher found, int year) {
        int second = number(found, "second");
        boolean leap = second == LEAP_SECOND;
        LocalDateTime time =
                LocalDateTime.of(
                        year,
                        month(found.group("month")),
                        number(found, "day"),
                        number(found, "hour"),
                        number(found, "minute"),
                        leap ? LEAP_SECOND - 1 : second);
        return time.toInstant(ZoneOffset.UTC).plusSeconds(leap ? 1 : 0);
    }

    private static Month month(String name) {
        for (Month month : Month.values()) {
            if (name(month).equals(name)) {
                return month;
            }
        }
        throw new DateTimeException(name);
    }

    private static int number(Matcher found, String group) {
        return Integer.parseInt(found.group(group).strip());
    }
}
