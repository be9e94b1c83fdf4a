package org.lrwp.http1;

/** Host and port as a Host field and a target name them: RFC 9110 section 7.2, RFC 3986. */
final class Authority {
    private static final int MOST_GROUPS = 8;
    private static final int LONGEST_GROUP = 4;
    private static final int MOST_PORT = 0xFFFF;

    private Authority() {}

    /** Whether a range is empty, or {@code host [":" port]} whose port may be empty. */
    static boolean isValid(byte[] source, int from, int to) {
        int end = hostEnd(source, from, to);
        return end == to || (end > from && source[end] == ':' && isPort(source, end + 1, to));
    }

    /** Whether a valid range names a host, and a port where one is wanted. */
    static boolean isNamed(byte[] source, int from, int to, boolean withPort) {
        int end = hostEnd(source, from, to);
        return end > from && (!withPort || end + 1 < to);
    }

    /** The index behind the host; -1 when it is none. */
    private static int hostEnd(byte[] source, int from, int to) {
        if (from < to && source[from] == '[') {
            int end = from + 1;
            while (end < to && source[end] != ']') {
                end++;
            }
            return end < to && isIpv6(source, from + 1, end) ? end + 1 : -1;
        }
        int i = from;
        while (i < to && source[i] != ':') {
            boolean encoded = source[i] == '%' && isHexPair(source, i + 1, to);
            if (!encoded && !Ascii.HOST[source[i] & 0xFF]) {
                return -1;
            }
            i += encoded ? 3 : 1;
        }
        return i;
    }

    private static boolean isHexPair(byte[] source, int at, int to) {
        return at + 1 < to && Ascii.hex(source[at]) >= 0 && Ascii.hex(source[at + 1]) >= 0;
    }

    private static boolean isPort(byte[] source, int from, int to) {
        int port = 0;
        for (int i = from; i < to; i++) {
            int digit = source[i] - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            port = 10 * port + digit;
            if (port > MOST_PORT) {
                return false;
            }
        }
        return true;
    }

    /** RFC 3986 section 3.2.2: eight groups, of which {@code ::} stands for one or more. */
    private static boolean isIpv6(byte[] source, int from, int to) {
        int groups = 0;
        boolean shortened = false;
        int i = from;
        while (i < to) {
            if (source[i] == ':') {
                boolean twice = i + 1 < to && source[i + 1] == ':';
                if (twice ? shortened : i == from || i + 1 == to) {
                    return false;
                }
                shortened |= twice;
                i += twice ? 2 : 1;
                if (twice && i < to && source[i] == ':') {
                    return false;
                }
            }
            int end = i;
            while (end < to && source[end] != ':') {
                end++;
            }
            int width = end == i ? 0 : width(source, i, end, end == to);
            if (width < 0) {
                return false;
            }
            groups += width;
            i = end;
        }
        return shortened ? groups < MOST_GROUPS : groups == MOST_GROUPS;
    }

    /** How many groups a part stands for; -1 when it is neither hex digits nor an IPv4 address. */
    private static int width(byte[] source, int from, int to, boolean last) {
        int i = from;
        while (i < to && Ascii.hex(source[i]) >= 0) {
            i++;
        }
        if (i == to) {
            return to - from <= LONGEST_GROUP ? 1 : -1;
        }
        return last && isIpv4(source, from, to) ? 2 : -1;
    }

    private static boolean isIpv4(byte[] source, int from, int to) {
        int parts = 0;
        int i = from;
        while (i < to && parts < 4) {
            int end = i;
            int value = 0;
            while (end < to && end - i < 4 && source[end] >= '0' && source[end] <= '9') {
                value = 10 * value + source[end] - '0';
                end++;
            }
            boolean zeros = end - i > 1 && source[i] == '0';
            if (end == i || value > 0xFF || zeros || (end < to && source[end] != '.')) {
                return false;
            }
            parts++;
            i = end + 1;
        }
        return parts == 4 && i == to + 1;
    }
}
