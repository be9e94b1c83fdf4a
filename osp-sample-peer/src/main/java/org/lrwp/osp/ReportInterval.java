package org.lrwp.osp;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.time.DateTimeException;
import java.time.Duration;

/** Reads times given as seconds or as ISO 8601 says. For picocli, which creates it. */
final class ReportInterval implements ITypeConverter<Duration> {
    static final Duration DEFAULT = Duration.ofMinutes(1);
    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration MOST = Duration.ofDays(1);

    ReportInterval() {}

    @Override
    public Duration convert(String text) {
        Duration interval = parse(text);
        if (interval.compareTo(LEAST) < 0 || interval.compareTo(MOST) > 0) {
            throw new TypeConversionException("'" + text + "' is not within 0.1 seconds to 1 day");
        }
        return interval;
    }

    private static Duration parse(String text) {
        try {
            return text.matches("[0-9]{1,9}")
                    ? Duration.ofSeconds(Long.parseLong(text))
                    : Duration.parse(text);
        } catch (DateTimeException neither) {
            throw new TypeConversionException(
                    "'" + text + "' is neither seconds nor a time like PT1M");
        }
    }
}
