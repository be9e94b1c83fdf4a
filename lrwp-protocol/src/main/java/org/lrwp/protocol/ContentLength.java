package org.lrwp.protocol;

/** The value of a {@code Content-Length}: RFC 9110 section 8.6. */
public final class ContentLength {
    /** What {@link #parse} returns for a text that is no length. */
    public static final long UNKNOWN = -1;

    /** So many digits always fit into a {@code long}. */
    private static final int MOST_DIGITS = 18;

    private ContentLength() {}

    /**
     * Reads a length.
     *
     * @param text what stands behind the colon, without blanks around it
     * @return bytes, 0 or more; {@link #UNKNOWN} for anything but 1 to 18 decimal digits
     */
    public static long parse(String text) {
        if (text.isEmpty() || text.length() > MOST_DIGITS) {
            return UNKNOWN;
        }
        long length = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return UNKNOWN;
            }
            length = length * 10 + digit;
        }
        return length;
    }
}
