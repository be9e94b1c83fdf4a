package org.lrwp.engine.request;

import org.lrwp.http1.KnownField;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Makes request ids: a prefix of this run and a number, for example {@code 9f3c61d0-1a}. A trusted
 * proxy's own X-Request-Id is taken over when it is 8 to 64 letters, digits, {@code -}, {@code _}
 * or {@code .}; any other is replaced. Thread-safe.
 */
public final class RequestIds {
    private static final int SHORTEST = 8;
    private static final int LONGEST = 64;

    /** Series of numbers, so that threads seldom count in the same one; a power of two. */
    private static final int SERIES = 16;

    /** Counters that do not share a line of a processor's cache. */
    private static final int APART = 8;

    private final String prefix;
    private final AtomicLongArray next = new AtomicLongArray(SERIES * APART);

    /**
     * Creates a source of ids.
     *
     * @param seed tells this run from others, for example a random number
     */
    public RequestIds(int seed) {
        prefix = String.format("%08x-", seed);
    }

    /**
     * Returns the id of a request.
     *
     * @param head the request
     * @param trusted whether it comes from a trusted proxy
     * @return its own or a new one
     */
    public String idOf(RequestHead head, boolean trusted) {
        String own = trusted ? head.first(KnownField.X_REQUEST_ID) : null;
        return own != null && isSane(own) ? own : next();
    }

    /**
     * Makes a new id.
     *
     * @return unique in this run
     */
    public String next() {
        int series = (int) Thread.currentThread().threadId() & (SERIES - 1);
        long number = next.getAndIncrement(series * APART) * SERIES + series;
        return prefix + Long.toHexString(number);
    }

    private static boolean isSane(String id) {
        if (id.length() < SHORTEST || id.length() > LONGEST) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean good =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || c == '-'
                            || c == '_'
                            || c == '.';
            if (!good) {
                return false;
            }
        }
        return true;
    }
}
