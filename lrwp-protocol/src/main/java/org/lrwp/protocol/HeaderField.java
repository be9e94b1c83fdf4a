package org.lrwp.protocol;

/**
 * One header field: RFC 9110 section 5.
 *
 * @param name a token, in the case it was sent
 * @param value without surrounding white space, CR, LF and NUL; one byte per character
 */
public record HeaderField(String name, String value) {
    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (char c = '0'; c < TOKEN.length; c++) {
            TOKEN[c] = Character.isLetterOrDigit(c);
        }
        for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
            TOKEN[c] = true;
        }
    }

    /** Checks name and value. */
    public HeaderField {
        if (!isToken(name)) {
            throw new IllegalArgumentException("header name is not a token");
        }
        if (!isValue(value)) {
            throw new IllegalArgumentException("value of header " + name + " holds a control");
        }
    }

    /**
     * Says whether a text is a token: RFC 9110 section 5.6.2.
     *
     * @param text any text
     * @return whether it is not empty and has only token characters
     */
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= TOKEN.length || !TOKEN[c]) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /**
     * Says whether a text can be the value of a header: RFC 9110 section 5.5.
     *
     * @param text any text
     * @return whether it holds no control but tab, and only bytes
     */
    public static boolean isValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7F || c > 0xFF) {
                return false;
            }
        }
        return true;
    }
}
