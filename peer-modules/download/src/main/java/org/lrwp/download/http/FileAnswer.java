package org.lrwp.download.http;

import org.lrwp.download.file.FileVersion;
import org.lrwp.protocol.HeaderField;

import java.util.List;

/**
 * What a GET or HEAD of a file is answered with: RFC 9110 sections 13 to 15.
 *
 * @param status of HTTP
 * @param headers in the order they are sent
 * @param version the file that the parts are of
 * @param body empty for HEAD and where there is none
 */
public record FileAnswer(
        int status, List<HeaderField> headers, FileVersion version, List<Segment> body) {
    /** Copies the lists. */
    public FileAnswer {
        headers = List.copyOf(headers);
        body = List.copyOf(body);
    }

    /**
     * Returns the bytes of the body.
     *
     * @return 0 or more
     */
    public long length() {
        long sum = 0;
        for (Segment segment : body) {
            sum += segment.length();
        }
        return sum;
    }

    /**
     * How files are sent.
     *
     * @param types media types
     * @param mostRanges ranges of one request that are followed; more get the whole file
     * @param disposition {@code inline}, {@code attachment}, or empty: only for who asks with the
     *     query {@code download}
     * @param cacheControl value of Cache-Control; empty for none
     */
    public record Style(
            ContentTypes types, int mostRanges, String disposition, String cacheControl) {}
}
