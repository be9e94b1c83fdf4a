package org.lrwp.download.http;

/** A part of the body of an answer. */
public sealed interface Segment {
    /**
     * Returns its length.
     *
     * @return bytes
     */
    long length();

    /**
     * Bytes that are not from the file.
     *
     * @param text in ISO-8859-1
     */
    record Text(String text) implements Segment {
        @Override
        public long length() {
            return text.length();
        }
    }

    /**
     * A part of the file.
     *
     * @param range which
     */
    record Part(ByteRange range) implements Segment {
        @Override
        public long length() {
            return range.length();
        }
    }
}
