package org.lrwp.osp.configuration;

import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Kinds of values that only the OSP peer has. */
final class OspValueTypes {
    /** The path of a file or folder. */
    static final ValueType<Optional<Path>> PLACE =
            new ValueType<>(
                    "a path, or nothing",
                    text -> text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text)));

    private static final String ALL = "processors";
    private static final int MOST_THREADS = 256;

    /** A number of threads. */
    static final ValueType<Integer> THREADS =
            new ValueType<>(
                    "a number, 1 to " + MOST_THREADS + ", or " + ALL,
                    text ->
                            text.equals(ALL)
                                    ? Math.min(
                                            Runtime.getRuntime().availableProcessors(),
                                            MOST_THREADS)
                                    : ValueTypes.count(1, MOST_THREADS).parse(text));

    /** A password there would be seen by whoever sees the value. */
    private static final Pattern WITH_PASSWORD =
            Pattern.compile("(?i).*([?&;](ssl)?password=|//[^/@]*:[^/@]*@).*");

    /** The address of a database. */
    static final ValueType<String> DATABASE =
            new ValueType<>(
                    "a JDBC address without a password, or nothing",
                    text -> {
                        if (WITH_PASSWORD.matcher(text).matches()) {
                            throw new IllegalArgumentException("a password");
                        }
                        return text;
                    });

    private OspValueTypes() {}

    /** Times as seconds or as ISO 8601 says; some may be negative. */
    static ValueType<Duration> time(Duration least, Duration most) {
        return new ValueType<>(
                "seconds or a time as PT10M, " + least + " to " + most,
                text -> {
                    Duration time =
                            text.matches("[0-9]{1,9}")
                                    ? Duration.ofSeconds(Long.parseLong(text))
                                    : Duration.parse(text);
                    if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
                        throw new IllegalArgumentException("not allowed");
                    }
                    return time;
                });
    }

    /** Words, in whatever case. */
    static <T> ValueType<T> words(String allowed, Function<String, T> reader) {
        return new ValueType<>(allowed, text -> reader.apply(text.toUpperCase(Locale.ROOT)));
    }
}
