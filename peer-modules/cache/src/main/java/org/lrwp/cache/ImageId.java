package org.lrwp.cache;

import java.util.OptionalLong;

/** Reads the id of an image from the path below the context. */
final class ImageId {
    private ImageId() {}

    /**
     * Returns the id; empty when the path is not {@code /} and a decimal 64-bit number. There is
     * one way to write each number, so that each image has one URL.
     */
    static OptionalLong of(String path) {
        boolean negative = path.startsWith("/-");
        int first = negative ? 2 : 1;
        if (!path.startsWith("/") || path.length() <= first || !isNumber(path, first)) {
            return OptionalLong.empty();
        }
        if (path.charAt(first) == '0' && (negative || path.length() > first + 1)) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(path, 1, path.length(), 10));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static boolean isNumber(String path, int first) {
        for (int i = first; i < path.length(); i++) {
            if (path.charAt(i) < '0' || path.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
