package org.lrwp.files;

/**
 * When a log file rotates.
 *
 * @param size bytes that it may have; 0 = any number
 * @param daily whether a new one begins with each day of UTC too
 * @param kept older files that stay beside it, at least 1
 */
public record Rotation(long size, boolean daily, int kept) {
    /** Checks the values. */
    public Rotation {
        if (size < 0) {
            throw new IllegalArgumentException("size " + size + " is negative");
        }
        if (kept < 1) {
            throw new IllegalArgumentException("kept " + kept + " is below 1");
        }
    }

    long limit() {
        return size == 0 ? Long.MAX_VALUE : size;
    }
}
