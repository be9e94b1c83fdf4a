package org.lrwp.osp.configuration;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.function.Function;

/** Reads values out of properties, and gathers every fault instead of failing at the first. */
final class Settings {
    private final Properties properties;
    private final TreeSet<String> unread;
    private final List<String> faults = new ArrayList<>();

    Settings(Properties properties) {
        this.properties = properties;
        this.unread = new TreeSet<>(properties.stringPropertyNames());
    }

    Optional<String> text(String key) {
        unread.remove(key);
        return Optional.ofNullable(properties.getProperty(key))
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    int number(String key, int usual, int least, int most) {
        Optional<String> text = text(key);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notNumber) {
            // A fault like a number outside its range.
        }
        faults.add(key + ": '" + text.get() + "' is not a number from " + least + " to " + most);
        return usual;
    }

    Duration time(String key, Duration usual, Duration least, Duration most) {
        Optional<String> text = text(key);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            Duration time =
                    text.get().matches("[0-9]{1,9}")
                            ? Duration.ofSeconds(Long.parseLong(text.get()))
                            : Duration.parse(text.get());
            if (time.compareTo(least) >= 0 && time.compareTo(most) <= 0) {
                return time;
            }
        } catch (DateTimeException notTime) {
            // A fault like a time outside its range.
        }
        faults.add(key + ": '" + text.get() + "' is not a time from " + least + " to " + most);
        return usual;
    }

    boolean flag(String key, boolean usual) {
        return choice(
                key,
                usual,
                text ->
                        switch (text) {
                            case "true" -> true;
                            case "false" -> false;
                            default -> throw new IllegalArgumentException("is not true or false");
                        });
    }

    <T> T choice(String key, T usual, Function<String, T> reader) {
        Optional<String> text = text(key);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            return reader.apply(text.get());
        } catch (IllegalArgumentException unfit) {
            faults.add(key + ": '" + text.get() + "' cannot be used");
            return usual;
        }
    }

    /** All that is wrong, keys that nobody asked for included. */
    List<String> faults() {
        List<String> all = new ArrayList<>(faults);
        unread.forEach(key -> all.add(key + ": there is no such key"));
        return all;
    }
}
