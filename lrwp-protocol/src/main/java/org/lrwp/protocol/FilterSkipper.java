package org.lrwp.protocol;

import java.nio.ByteBuffer;

/**
 * Skips the filter of an LRWP 1.0 startup string, which servers have always ignored:
 * docs/protocol.md section 2.
 *
 * <p>The filter may come late and need not be closed by a delimiter, so it is whatever arrives
 * between the second delimiter and the first request: up to the third delimiter, and never more
 * than {@link HelloParser#MAX_LENGTH} bytes. Not thread-safe.
 */
public final class FilterSkipper {
    private int skipped;
    private boolean closed;

    /** Creates a skipper for one connection. */
    public FilterSkipper() {}

    /**
     * Skips what belongs to the filter.
     *
     * @param in what arrived before the first request; bytes that are not the filter's stay in it
     * @return whether all of it belonged to the filter
     */
    public boolean skip(ByteBuffer in) {
        while (in.hasRemaining() && !closed && skipped < HelloParser.MAX_LENGTH) {
            skipped++;
            closed = in.get() == (byte) 0xFF;
        }
        return !in.hasRemaining();
    }
}
