package org.lrwp.webapp.servlet;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a broken request began with, for the access log.
 *
 * @param method up to the first blank
 * @param target up to the second one
 */
record FirstLine(String method, String target) {
    private static final int LONGEST = 512;
    private static final String UNKNOWN = "-";

    static FirstLine of(ByteBuffer from) {
        byte[] bytes = new byte[Math.min(from.remaining(), LONGEST)];
        from.get(from.position(), bytes);
        String text = new String(bytes, StandardCharsets.ISO_8859_1).stripLeading();
        String line = text.lines().findFirst().orElse("");
        String[] words = line.split(" ", 3);
        return new FirstLine(
                words[0].isEmpty() ? UNKNOWN : words[0], words.length < 2 ? UNKNOWN : words[1]);
    }
}
