package org.lrwp.webapp.operations;

/**
 * Makes texts of clients and peers harmless in a log: what is not visible ASCII, and quotes and
 * backslashes, become {@code \xHH}.
 */
final class Escaper {
    private Escaper() {}

    static String escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isHarmless(text.charAt(i))) {
                return escapeFrom(text, i);
            }
        }
        return text;
    }

    private static String escapeFrom(String text, int first) {
        var escaped = new StringBuilder(text.length() + 16);
        escaped.append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isHarmless(c)) {
                escaped.append(c);
            } else {
                escaped.append(String.format("\\x%02x", (int) c));
            }
        }
        return escaped.toString();
    }

    private static boolean isHarmless(char c) {
        return c >= ' ' && c < 0x7F && c != '"' && c != '\\';
    }
}
