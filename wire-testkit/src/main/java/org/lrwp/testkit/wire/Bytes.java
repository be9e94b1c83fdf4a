package org.lrwp.testkit.wire;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Bytes as tests write them: text in ISO 8859-1, one character each. */
public final class Bytes {
    private Bytes() {}

    /** The bytes of a text, whose characters are all below 256. */
    public static byte[] of(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The text of bytes. */
    public static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** One array after the other. */
    public static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] whole = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, whole, at, part.length);
            at += part.length;
        }
        return whole;
    }

    /** So many bytes of every value, always the same for the same seed. */
    public static byte[] random(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
