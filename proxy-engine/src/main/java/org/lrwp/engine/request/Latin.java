package org.lrwp.engine.request;

import java.nio.charset.StandardCharsets;

/** Texts of which each character is a byte. */
final class Latin {
    private Latin() {}

    /** The bytes of a text; a character above 255 becomes a question mark, which no name has. */
    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
