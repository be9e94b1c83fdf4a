package org.lrwp.http1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Classes of bytes: RFC 9110 section 5.6.2, RFC 5234 appendix B.1. */
final class Ascii {
    private static final int SIZE = 256;

    /** May be part of a token. */
    static final boolean[] TOKEN = new boolean[SIZE];

    /** May be part of a field's value: no control but tab. */
    static final boolean[] VALUE = new boolean[SIZE];

    /** May be part of a target: visible, and no fragment. */
    static final boolean[] TARGET = new boolean[SIZE];

    /** May be part of a host's name: RFC 3986 section 3.2.2, reg-name without percent. */
    static final boolean[] HOST = new boolean[SIZE];

    static {
        for (char c = '0'; c <= '9'; c++) {
            TOKEN[c] = true;
            HOST[c] = true;
        }
        for (char c = 'a'; c <= 'z'; c++) {
            TOKEN[c] = true;
            TOKEN[c - 'a' + 'A'] = true;
            HOST[c] = true;
            HOST[c - 'a' + 'A'] = true;
        }
        for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
            TOKEN[c] = true;
        }
        for (char c : "!$&'()*+,-.;=_~".toCharArray()) {
            HOST[c] = true;
        }
        for (int c = 0; c < SIZE; c++) {
            VALUE[c] = c == '\t' || (c >= ' ' && c != 0x7F);
            TARGET[c] = c > ' ' && c < 0x7F && c != '#';
        }
    }

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = ONES << 7;

    private Ascii() {}

    /** The first index that holds no byte of a value. */
    static int skipValue(byte[] source, int from, int to) {
        int i = from;
        // Most of a head is values: eight bytes at once, as long as there is neither a control nor
        // a tab among them.
        while (i + Long.BYTES <= to && isPlain((long) LONGS.get(source, i))) {
            i += Long.BYTES;
        }
        while (i < to && VALUE[source[i] & 0xFF]) {
            i++;
        }
        return i;
    }

    /** Whether none of eight bytes is below a space, or DEL; false now and then for no reason. */
    private static boolean isPlain(long bytes) {
        long deleted = bytes ^ (0x7F * ONES);
        long below = (bytes - ' ' * ONES) & ~bytes;
        long equal = (deleted - ONES) & ~deleted;
        return ((below | equal) & HIGH_BITS) == 0;
    }

    /** Whether bytes are those of a text in lower case, when their case is left aside. */
    static boolean equalsLower(byte[] source, int from, int to, byte[] lower) {
        if (to - from != lower.length) {
            return false;
        }
        for (int i = 0; i < lower.length; i++) {
            if (lower(source[from + i]) != lower[i]) {
                return false;
            }
        }
        return true;
    }

    /** The first index from {@code from} on that holds no white space. */
    static int skipBlanks(byte[] source, int from, int to) {
        int i = from;
        while (i < to && isBlank(source[i])) {
            i++;
        }
        return i;
    }

    /** The index behind the last byte that is no white space. */
    static int trimBlanks(byte[] source, int from, int to) {
        int i = to;
        while (i > from && isBlank(source[i - 1])) {
            i--;
        }
        return i;
    }

    static byte lower(byte c) {
        return c >= 'A' && c <= 'Z' ? (byte) (c + 'a' - 'A') : c;
    }

    static boolean isBlank(byte c) {
        return c == ' ' || c == '\t';
    }

    /** Value of a hex digit; -1 for any other byte. */
    static int hex(byte c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int lower = c | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }
}
