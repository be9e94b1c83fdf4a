package org.lrwp.osp.message;

/**
 * What a message may have at most. More is refused as malformed.
 *
 * @param components components in a message, 1 or more
 * @param elements elements in all, 1 or more
 * @param levels elements inside one another, 2 to 64
 * @param attributes attributes of one element, 1 or more
 */
public record MessageLimits(int components, int elements, int levels, int attributes) {
    /** 32 components, 4,096 elements, 16 levels, 16 attributes. */
    public static final MessageLimits USUAL = new MessageLimits(32, 4_096, 16, 16);

    private static final int MOST_LEVELS = 64;

    /** Checks the limits. */
    public MessageLimits {
        if (components < 1
                || elements < 1
                || attributes < 1
                || levels < 2
                || levels > MOST_LEVELS) {
            throw new IllegalArgumentException(
                    "limits of a message: " + components + " " + elements + " " + levels);
        }
    }
}
