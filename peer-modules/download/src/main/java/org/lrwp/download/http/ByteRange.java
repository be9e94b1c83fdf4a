package org.lrwp.download.http;

/**
 * A part of a file.
 *
 * @param first its first byte, from 0
 * @param length its bytes, at least 1
 */
public record ByteRange(long first, long length) {
    /** Checks the values. */
    public ByteRange {
        if (first < 0 || length < 1) {
            throw new IllegalArgumentException("range of " + length + " bytes from " + first);
        }
    }

    /**
     * Returns the value of Content-Range: RFC 9110 section 14.4.
     *
     * @param of bytes of the whole file
     * @return the value
     */
    String contentRange(long of) {
        return "bytes " + first + "-" + (first + length - 1) + "/" + of;
    }
}
