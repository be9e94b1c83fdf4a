package org.lrwp.download.http;

import org.lrwp.download.file.FileVersion;
import org.lrwp.download.file.Found;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.RequestHead;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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

    /**
     * Decides what to answer.
     *
     * @param request its method is GET or HEAD
     * @param file what was asked for
     * @param style how files are sent
     * @param now the time of the answer
     * @return the answer
     */
    public static FileAnswer of(RequestHead request, Found.File file, Style style, Instant now) {
        Map<Coding, FileVersion> coded = new EnumMap<>(Coding.class);
        for (Coding coding : Coding.values()) {
            FileVersion version = file.coded().get(coding.suffix());
            if (version != null) {
                coded.put(coding, version);
            }
        }
        Coding coding = Coding.choose(request.header("Accept-Encoding"), coded.keySet());
        FileVersion version = coding == null ? file.plain() : coded.get(coding);
        return new FileAnswerMaker(request, file, version == null ? file.plain() : version, style)
                .make(coding, !coded.isEmpty(), now);
    }
}
