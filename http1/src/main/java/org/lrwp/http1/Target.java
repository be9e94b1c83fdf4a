package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

/** The four forms of a target: RFC 9112 section 3.2. */
final class Target {
    private static final byte[] HTTP = {'h', 't', 't', 'p', ':', '/', '/'};
    private static final byte[] HTTPS = {'h', 't', 't', 'p', 's', ':', '/', '/'};

    private Target() {}

    /** Whether a range, not empty and of visible characters, is a target for the method. */
    static boolean isValid(byte[] source, int from, int to, @Nullable KnownMethod method) {
        if (method == KnownMethod.CONNECT) {
            return Authority.isValid(source, from, to) && Authority.isNamed(source, from, to, true);
        }
        if (source[from] == '/') {
            return true;
        }
        if (source[from] == '*') {
            return to == from + 1 && method == KnownMethod.OPTIONS;
        }
        int start = absolute(source, from, to);
        int end = start;
        while (end < to && source[end] != '/' && source[end] != '?') {
            end++;
        }
        return start > 0
                && Authority.isValid(source, start, end)
                && Authority.isNamed(source, start, end, false);
    }

    /** The index behind {@code http://}; 0 when the range does not begin so. */
    private static int absolute(byte[] source, int from, int to) {
        if (begins(source, from, to, HTTP)) {
            return from + HTTP.length;
        }
        return begins(source, from, to, HTTPS) ? from + HTTPS.length : 0;
    }

    private static boolean begins(byte[] source, int from, int to, byte[] lower) {
        return to - from >= lower.length
                && Ascii.equalsLower(source, from, from + lower.length, lower);
    }
}
