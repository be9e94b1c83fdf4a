package org.lrwp.download.http;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Dates as HTTP writes them: RFC 9110 section 5.6.7. */
final class HttpDate {
    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private HttpDate() {}

    static String format(Instant instant) {
        return FORM.format(instant);
    }

    /** Returns the date, or null when it is none; the two forms of old are not read. */
    static @Nullable Instant parse(String text) {
        try {
            return FORM.parse(text.strip(), Instant::from);
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
