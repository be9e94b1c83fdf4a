package org.lrwp.acme;

import org.jspecify.annotations.Nullable;

/** Text of somebody else, for a quoted value of a log line. */
final class OneLine {
    private static final int LONGEST = 500;

    private OneLine() {}

    /** At most 500 characters, without quotes, line ends and other control characters. */
    static String of(@Nullable String text) {
        String clean = String.valueOf(text).replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}]+", " ");
        String quoted = clean.replace('"', '\'');
        return quoted.length() <= LONGEST ? quoted : quoted.substring(0, LONGEST);
    }
}
