package org.lrwp.engine.peer;

import java.nio.ByteBuffer;

/** Makes bytes and names that come from peers fit for logs and pages. */
public final class PeerText {
    private static final int MOST_SHOWN = 32;

    private PeerText() {}

    /**
     * Escapes a name.
     *
     * @param text one byte per character
     * @return the same with everything but printable ASCII, and the characters that mean something
     *     in logs and markup, as {@code \xNN}
     */
    public static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            append(safe, text.charAt(i));
        }
        return safe.toString();
    }

    /**
     * Escapes a text of several words.
     *
     * @param text one byte per character
     * @return as {@link #escape(String)}, but with its spaces
     */
    public static String sentence(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == ' ') {
                safe.append(' ');
            } else {
                append(safe, text.charAt(i));
            }
        }
        return safe.toString();
    }

    /**
     * Escapes the first bytes of what a peer sent.
     *
     * @param bytes not consumed
     * @return at most 32 of them
     */
    public static String escape(ByteBuffer bytes) {
        int count = Math.min(bytes.remaining(), MOST_SHOWN);
        StringBuilder safe = new StringBuilder(count + 3);
        for (int i = 0; i < count; i++) {
            append(safe, (char) (bytes.get(bytes.position() + i) & 0xFF));
        }
        return bytes.remaining() > count ? safe.append("...").toString() : safe.toString();
    }

    private static void append(StringBuilder safe, char c) {
        if (c <= ' ' || c >= 0x7F || "\\\"'<>&%{}".indexOf(c) >= 0) {
            safe.append(String.format("\\x%02x", (int) c));
        } else {
            safe.append(c);
        }
    }
}
