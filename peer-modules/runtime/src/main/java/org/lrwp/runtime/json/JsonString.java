package org.lrwp.runtime.json;

/** Writes JSON strings. */
public final class JsonString {
    private JsonString() {}

    /**
     * Writes a JSON string: RFC 8259 section 7.
     *
     * @param text any text
     * @return the text in quotes, on one line
     */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 16).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    // U+2028 and U+2029 end lines for some readers of lines.
                    if (c < ' ' || c == 0x7F || c == 0x2028 || c == 0x2029) {
                        quoted.append(String.format("\\u%04x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
