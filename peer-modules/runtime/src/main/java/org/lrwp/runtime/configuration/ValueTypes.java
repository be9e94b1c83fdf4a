package org.lrwp.runtime.configuration;

import org.lrwp.protocol.network.Network;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kinds of values that modules share. A module may have more of its own. */
public final class ValueTypes {
    /** What {@link #rate} gives for {@code unlimited}. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** Any text, also an empty one. */
    public static final ValueType<String> TEXT = new ValueType<>("any text", text -> text);

    /** True or false. */
    public static final ValueType<Boolean> SWITCH =
            new ValueType<>(
                    "true or false",
                    text -> {
                        require(text.equals("true") || text.equals("false"));
                        return text.equals("true");
                    });

    /** The path of a file or folder; not empty. */
    public static final ValueType<Path> PATH =
            new ValueType<>(
                    "a path",
                    text -> {
                        require(!text.isEmpty());
                        return Path.of(text);
                    });

    /** Texts separated by commas; empty for none. */
    public static final ValueType<List<String>> LIST =
            new ValueType<>("texts separated by commas", ValueTypes::parts);

    /** Networks separated by commas; empty for none. */
    public static final ValueType<List<Network>> NETWORKS =
            new ValueType<>(
                    "networks as 10.0.0.0/8 or addresses, separated by commas",
                    text -> parts(text).stream().map(Network::parse).toList());

    /** What nanoseconds can count. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Pattern WITH_UNIT = Pattern.compile("([0-9]{1,18})([a-zA-Z]*)");

    /**
     * Milliseconds. Duration's own arithmetic would have each start load BigDecimal, and compute
     * its tables.
     */
    private static final Map<String, Long> TIME_UNITS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    private static final Map<String, Long> SIZE_UNITS =
            Map.of(
                    "", 1L,
                    "B", 1L,
                    "KB", 1_000L,
                    "KiB", 1L << 10,
                    "MB", 1_000_000L,
                    "MiB", 1L << 20,
                    "GB", 1_000_000_000L,
                    "GiB", 1L << 30,
                    "TB", 1_000_000_000_000L,
                    "TiB", 1L << 40);

    private ValueTypes() {}

    /**
     * Returns whole numbers within a range.
     *
     * @param least the smallest
     * @param most the largest
     * @return the type
     */
    public static ValueType<Integer> count(int least, int most) {
        return new ValueType<>(
                "a number, " + least + " to " + most,
                text -> {
                    int value = Integer.parseInt(text);
                    require(!text.startsWith("+") && value >= least && value <= most);
                    return value;
                });
    }

    /**
     * Returns decimal numbers within a range, as {@code 0.5}.
     *
     * @param least the smallest
     * @param most the largest
     * @return the type
     */
    public static ValueType<Double> decimal(double least, double most) {
        return new ValueType<>(
                "a decimal number, " + least + " to " + most,
                text -> {
                    require(text.matches("-?[0-9]{1,15}(\\.[0-9]{1,15})?"));
                    double value = Double.parseDouble(text);
                    require(value >= least && value <= most);
                    return value;
                });
    }

    /**
     * Returns times as {@code 250ms}, {@code 10s}, {@code 5m}, {@code 1h}, {@code 1d} or {@code 0}.
     *
     * @param least the shortest
     * @param most the longest
     * @return the type
     */
    public static ValueType<Duration> duration(Duration least, Duration most) {
        return new ValueType<>(
                "a time as 250ms, 10s, 5m, 1h or 1d, " + text(least) + " to " + text(most),
                text -> {
                    Matcher matcher = withUnit(text);
                    Long unit = TIME_UNITS.get(matcher.group(2));
                    long number = Long.parseLong(matcher.group(1));
                    boolean zero = number == 0 && matcher.group(2).isEmpty();
                    require(zero || unit != null);
                    Duration value =
                            unit == null || zero
                                    ? Duration.ZERO
                                    : Duration.ofMillis(Math.multiplyExact(unit, number));
                    require(value.compareTo(least) >= 0 && value.compareTo(most) <= 0);
                    return value;
                });
    }

    /**
     * Returns times as {@link #duration(Duration, Duration)}, up to a hundred years.
     *
     * @param least the shortest
     * @return the type
     */
    public static ValueType<Duration> duration(Duration least) {
        return new ValueType<>(
                "a time as 250ms, 10s, 5m, 1h or 1d, at least " + text(least),
                duration(least, LONGEST)::parse);
    }

    private static String text(Duration duration) {
        if (duration.isZero()) {
            return "0";
        }
        long millis = duration.toMillis();
        String[] units = {"d", "h", "m", "s"};
        for (String name : units) {
            long unit = TIME_UNITS.getOrDefault(name, 1L);
            if (millis % unit == 0) {
                return millis / unit + name;
            }
        }
        return millis + "ms";
    }

    /**
     * Returns numbers of bytes as {@code 4096}, {@code 20KB} (20,000), {@code 64KiB} (65,536) up to
     * {@code TB} and {@code TiB}.
     *
     * @param least the smallest, in bytes
     * @param most the largest, in bytes
     * @return the type
     */
    public static ValueType<Long> size(long least, long most) {
        return new ValueType<>(
                "bytes as 4096, 20KB (1000) or 64KiB (1024), " + least + " to " + most + " bytes",
                text -> bytes(text, least, most));
    }

    /**
     * Returns rates in bytes per second, as {@code 20KB}, {@code 1MiB} or {@code unlimited}.
     *
     * @param least the smallest, in bytes per second
     * @return the type; {@link #UNLIMITED} for {@code unlimited}
     */
    public static ValueType<Long> rate(long least) {
        return new ValueType<>(
                "bytes per second as 20KB (1000) or 64KiB (1024), at least "
                        + least
                        + ", or unlimited",
                text -> text.equals("unlimited") ? UNLIMITED : bytes(text, least, UNLIMITED - 1));
    }

    private static long bytes(String text, long least, long most) {
        Matcher matcher = withUnit(text);
        Long unit = SIZE_UNITS.get(matcher.group(2));
        require(unit != null);
        long number = Long.parseLong(matcher.group(1));
        long value = Math.multiplyExact(number, unit == null ? 1 : unit);
        require(value >= least && value <= most);
        return value;
    }

    /**
     * Returns the constants of an enumeration, written in lower case with {@code -} for {@code _}.
     *
     * @param <E> the enumeration
     * @param type its class
     * @return the type
     */
    public static <E extends Enum<E>> ValueType<E> choice(Class<E> type) {
        List<E> constants = List.of(type.getEnumConstants());
        List<String> words = constants.stream().map(ValueTypes::word).toList();
        return new ValueType<>(
                String.join(" or ", words),
                text -> {
                    int index = words.indexOf(text);
                    require(index >= 0);
                    return constants.get(index);
                });
    }

    /**
     * Returns words.
     *
     * @param words what is allowed
     * @return the type
     */
    public static ValueType<String> word(String... words) {
        List<String> known = List.of(words);
        return new ValueType<>(
                String.join(" or ", known),
                text -> {
                    require(known.contains(text));
                    return text;
                });
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
                parts.add(part.strip());
            }
        }
        return List.copyOf(parts);
    }

    private static Matcher withUnit(String text) {
        Matcher matcher = WITH_UNIT.matcher(text);
        require(matcher.matches());
        return matcher;
    }

    private static void require(boolean allowed) {
        if (!allowed) {
            throw new IllegalArgumentException("not allowed");
        }
    }
}
