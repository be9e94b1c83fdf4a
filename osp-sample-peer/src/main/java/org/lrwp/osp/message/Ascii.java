package org.lrwp.osp.message;

/** Knows bytes that need no decoding. */
public final class Ascii {
    private Ascii() {}

    /**
     * Says whether no byte has its highest bit.
     *
     * @param bytes any
     * @return whether all are ASCII; true when there are none
     */
    public static boolean isAscii(byte[] bytes) {
        int signs = 0;
        for (byte each : bytes) {
            signs |= each;
        }
        return signs >= 0;
    }
}
