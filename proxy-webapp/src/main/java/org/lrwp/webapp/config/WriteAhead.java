package org.lrwp.webapp.config;

/**
 * Bytes of answers that are held for clients that read slowly.
 *
 * @param each of one client, at most
 * @param all of all of them, about; 0 = an eighth of the heap
 */
public record WriteAhead(int each, long all) {
    /** So much each client may have, however many they are. */
    private static final int LEAST = 16 * 1024;

    private static final int PART_OF_HEAP = 8;

    /** Checks the values. */
    public WriteAhead {
        if (each < 1 || all < 0) {
            throw new IllegalArgumentException("writeAhead each %d, all %d".formatted(each, all));
        }
        all = all == 0 ? Runtime.getRuntime().maxMemory() / PART_OF_HEAP : all;
    }

    /**
     * Says how much one client may have.
     *
     * @param slow clients that read slowly now
     * @return bytes, at least 1
     */
    public int among(int slow) {
        long share = all / Math.max(1, slow);
        return (int) Math.min(each, Math.max(LEAST, share));
    }
}
