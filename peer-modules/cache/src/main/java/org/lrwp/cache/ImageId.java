package org.lrwp.cache;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Reads the id of an image from the path below the context. */
final class ImageId {
    /** One way to write each number, so that each image has one URL. */
    private static final Pattern PATH = Pattern.compile("/(0|-?[1-9][0-9]{0,18})");

    private ImageId() {}

    /** Returns the id; empty when the path is not {@code /} and a decimal 64-bit number. */
    static OptionalLong of(String path) {
        if (!PATH.matcher(path).matches()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(path, 1, path.length(), 10));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
