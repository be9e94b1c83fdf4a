package org.lrwp.protocol;

/**
 * The names that peers and proxies give to identities, keys and instances: docs/protocol.md section
 * 17. They stand in logs, files and startup strings without any escaping.
 */
public final class Names {
    /** Most characters of a name. */
    public static final int MAX_LENGTH = 64;

    /** What a name may be, for messages. */
    public static final String ALLOWED =
            "1 to " + MAX_LENGTH + " letters, digits, '.', '_' and '-'";

    private Names() {}

    /**
     * Says whether a text is a name.
     *
     * @param text any text
     * @return true for 1 to {@link #MAX_LENGTH} of the letters and digits of ASCII, {@code .},
     *     {@code _} and {@code -}; false for the empty text
     */
    public static boolean isName(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (!isAllowed(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAllowed(char c) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        boolean digit = c >= '0' && c <= '9';
        return letter || digit || c == '.' || c == '_' || c == '-';
    }
}
