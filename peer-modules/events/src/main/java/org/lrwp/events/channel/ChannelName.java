package org.lrwp.events.channel;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** How channels are called, and how several are named at once: {@code news,sport}. */
public final class ChannelName {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._~-]{0,63}");

    private ChannelName() {}

    /**
     * Reads names.
     *
     * @param text names, joined by commas
     * @param most how many there may be
     * @return each name once, in the order in which they stand there
     * @throws IllegalArgumentException when one is none, or there are too many
     */
    public static List<String> list(String text, int most) {
        List<String> names = Arrays.stream(text.split(",", -1)).distinct().toList();
        if (names.size() > most) {
            throw new IllegalArgumentException("more than " + most + " channels at once");
        }
        names.forEach(ChannelName::check);
        return names;
    }

    static void check(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of a channel is 1 to 64 of A-Z a-z 0-9 . _ ~ - and begins with a"
                            + " letter or a digit");
        }
    }
}
