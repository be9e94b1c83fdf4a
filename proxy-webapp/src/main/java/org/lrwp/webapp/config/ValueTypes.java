package org.lrwp.webapp.config;

import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kinds of values that keys have. */
final class ValueTypes {
    private static final Pattern WITH_UNIT = Pattern.compile("([0-9]{1,15})([A-Za-z]*)");
    private static final Map<String, Duration> TIME_UNITS =
            Map.of(
                    "ms", Duration.ofMillis(1),
                    "s", Duration.ofSeconds(1),
                    "m", Duration.ofMinutes(1),
                    "h", Duration.ofHours(1));
    private static final Map<String, Long> SIZE_UNITS =
            Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

    static final ValueType<Boolean> SWITCH = new ValueType<>("true or false", ValueTypes::truth);
    static final ValueType<String> TEXT = new ValueType<>("any text", text -> text);
    static final ValueType<InetAddress> ADDRESS =
            new ValueType<>("a local IP address or host name", ValueTypes::address);
    static final ValueType<List<Network>> NETWORKS =
            new ValueType<>(
                    "networks as 10.0.0.0/8 or addresses, separated by commas",
                    ValueTypes::networks);
    static final ValueType<Set<String>> CONTEXTS =
            new ValueType<>(
                    "contexts as /osp, .ext or /, separated by commas", ValueTypes::contexts);
    static final ValueType<Set<String>> NAMES =
            new ValueType<>("names, separated by commas", ValueTypes::names);

    private ValueTypes() {}

    static ValueType<Duration> duration(Duration least) {
        return new ValueType<>(
                "a duration as 100ms, 10s, 5m or 1h, at least " + text(least),
                text -> {
                    Matcher matcher = withUnit(text);
                    Duration unit = TIME_UNITS.get(matcher.group(2));
                    long number = Long.parseLong(matcher.group(1));
                    boolean zero = number == 0 && matcher.group(2).isEmpty();
                    require(zero || unit != null);
                    require(number <= Integer.MAX_VALUE);
                    Duration value =
                            zero || unit == null ? Duration.ZERO : unit.multipliedBy(number);
                    require(value.compareTo(least) >= 0);
                    return value;
                });
    }

    private static String text(Duration duration) {
        return duration.isZero() ? "0" : duration.toMillis() + "ms";
    }

    static ValueType<Long> size(long least, long most) {
        return new ValueType<>(
                "octets as 4096, 64KiB, 10MiB or 1GiB, " + least + " to " + most + " octets",
                text -> {
                    Matcher matcher = withUnit(text);
                    Long unit = SIZE_UNITS.get(matcher.group(2));
                    long number = Long.parseLong(matcher.group(1));
                    require(unit != null);
                    long value = Math.multiplyExact(number, unit == null ? 1 : unit);
                    require(value >= least && value <= most);
                    return value;
                });
    }

    static ValueType<Integer> count(int least, int most) {
        return new ValueType<>(
                "a number, " + least + " to " + most,
                text -> {
                    int value = Integer.parseInt(text);
                    require(!text.startsWith("+") && value >= least && value <= most);
                    return value;
                });
    }

    static ValueType<String> word(String... words) {
        return new ValueType<>(
                String.join(" or ", words),
                text -> {
                    require(List.of(words).contains(text));
                    return text;
                });
    }

    private static Matcher withUnit(String text) {
        Matcher matcher = WITH_UNIT.matcher(text);
        require(matcher.matches());
        return matcher;
    }

    private static boolean truth(String text) {
        require(text.equals("true") || text.equals("false"));
        return text.equals("true");
    }

    private static InetAddress address(String text) {
        require(!text.isEmpty());
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static List<Network> networks(String text) {
        List<Network> networks = new ArrayList<>();
        for (String part : parts(text)) {
            networks.add(Network.parse(part));
        }
        return List.copyOf(networks);
    }

    private static Set<String> contexts(String text) {
        Set<String> contexts = parts(text);
        contexts.forEach(context -> require(isContext(context)));
        return contexts;
    }

    /** Whether a text is a context as users write it. */
    static boolean isContext(String text) {
        boolean path = text.startsWith("/") && !text.equals("/-") && !text.startsWith("/-/");
        boolean extension = text.startsWith(".") && text.length() > 1 && text.indexOf('/') < 0;
        return path || extension;
    }

    private static Set<String> names(String text) {
        Set<String> names = new LinkedHashSet<>();
        parts(text).forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        return names;
    }

    private static Set<String> parts(String text) {
        Set<String> parts = new LinkedHashSet<>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
                parts.add(part.strip());
            }
        }
        return parts;
    }

    private static void require(boolean allowed) {
        if (!allowed) {
            throw new IllegalArgumentException("not allowed");
        }
    }
}
