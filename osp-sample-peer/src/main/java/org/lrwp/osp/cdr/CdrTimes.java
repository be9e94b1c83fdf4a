package org.lrwp.osp.cdr;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times as records have them: always of the same length, so that their texts are in order. */
public final class CdrTimes {
    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private CdrTimes() {}

    /**
     * Writes a time.
     *
     * @param time the time, of a year with four digits
     * @return for example {@code 2026-11-20T07:28:35.250Z}
     */
    public static String text(Instant time) {
        return FORM.format(time);
    }
}
