package org.lrwp.download.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Range header of one request: RFC 9110 section 14.2. */
final class RangeHeader {
    /** What has to be sent. */
    sealed interface Wanted {}

    /** The whole file: there is no range, or one that is not followed. */
    record Whole() implements Wanted {}

    /** None of it: 416. */
    record Nothing() implements Wanted {}

    /**
     * Some parts of it: 206.
     *
     * @param ranges in the order of the request, at least one
     */
    record Parts(List<ByteRange> ranges) implements Wanted {
        Parts {
            ranges = List.copyOf(ranges);
        }
    }

    private static final Pattern SPEC =
            Pattern.compile("[ \\t]*(?:([0-9]+)-([0-9]*)|-([0-9]+))[ \\t]*");
    private static final String UNIT = "bytes=";

    private RangeHeader() {}

    /**
     * Reads the header. What is not a valid range of bytes, more ranges than allowed, and ranges
     * that together are longer than the file are answered with the whole file, as RFC 9110 section
     * 14.2 allows.
     */
    static Wanted parse(String header, long length, int most) {
        String value = header.strip();
        if (!value.toLowerCase(Locale.ROOT).startsWith(UNIT)) {
            return new Whole();
        }
        String[] specs = value.substring(UNIT.length()).split(",", -1);
        if (specs.length > most) {
            return new Whole();
        }
        List<ByteRange> ranges = new ArrayList<>();
        long total = 0;
        for (String spec : specs) {
            Matcher found = SPEC.matcher(spec);
            if (!found.matches()) {
                return new Whole();
            }
            long first = first(found, length);
            long end = end(found, length);
            if (end < first
                    && found.group(2) != null
                    && !found.group(2).isEmpty()
                    && number(found.group(2)) < number(found.group(1))) {
                return new Whole();
            }
            if (first < length && end >= first) {
                ranges.add(new ByteRange(first, end - first + 1));
                total += end - first + 1;
            }
        }
        if (ranges.isEmpty()) {
            return new Nothing();
        }
        return ranges.size() > 1 && total > length ? new Whole() : new Parts(ranges);
    }

    private static long first(Matcher spec, long length) {
        if (spec.group(1) != null) {
            return number(spec.group(1));
        }
        return length - Math.min(length, number(spec.group(3)));
    }

    /** The last byte that is there. */
    private static long end(Matcher spec, long length) {
        String last = spec.group(2);
        return last == null || last.isEmpty() ? length - 1 : Math.min(length - 1, number(last));
    }

    private static long number(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            // More digits than any file has bytes.
            return Long.MAX_VALUE;
        }
    }
}
