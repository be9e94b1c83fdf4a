package org.lrwp.webapp.glassfish;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Octets of an answer's head on their way into a buffer. Not thread-safe. */
final class HeadText {
    private static final int USUAL = 512;

    private byte[] octets = new byte[USUAL];
    private int length;

    /** Begins again. */
    HeadText clear() {
        length = 0;
        return this;
    }

    /** Adds a text; each character is an octet. */
    @SuppressWarnings("deprecation") // Right for octets, and the only copy without a detour.
    HeadText add(String text) {
        int end = length + text.length();
        if (end > octets.length) {
            octets = Arrays.copyOf(octets, Math.max(end, 2 * octets.length));
        }
        text.getBytes(0, text.length(), octets, length);
        length = end;
        return this;
    }

    int length() {
        return length;
    }

    void putInto(ByteBuffer target) {
        target.put(octets, 0, length);
    }
}
