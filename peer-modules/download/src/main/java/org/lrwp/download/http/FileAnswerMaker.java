package org.lrwp.download.http;

import org.jspecify.annotations.Nullable;
import org.lrwp.download.file.FileVersion;
import org.lrwp.download.file.Found;
import org.lrwp.http1.HttpDate;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.RequestHead;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Makes one answer. */
final class FileAnswerMaker {
    private final RequestHead request;
    private final Found.File file;
    private final FileVersion version;
    private final FileAnswer.Style style;
    private final List<HeaderField> headers = new ArrayList<>();

    private FileAnswerMaker(
            RequestHead request, Found.File file, FileVersion version, FileAnswer.Style style) {
        this.request = request;
        this.file = file;
        this.version = version;
        this.style = style;
    }

    /**
     * Decides what to answer.
     *
     * @param request its method is GET or HEAD
     * @param file what was asked for
     * @param style how files are sent
     * @param now the time of the answer
     * @return the answer
     */
    static FileAnswer of(
            RequestHead request, Found.File file, FileAnswer.Style style, Instant now) {
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

    private FileAnswer make(@Nullable Coding coding, boolean varies, Instant now) {
        String etag = etag(coding);
        Conditions conditions = new Conditions(request, etag, version.modified(), now);
        Conditions.Outcome outcome = conditions.outcome();
        if (outcome == Conditions.Outcome.FAILED) {
            add("Content-Length", "0");
            return new FileAnswer(412, headers, version, List.of());
        }
        add("ETag", etag);
        add("Last-Modified", HttpDate.format(conditions.lastModified()));
        if (varies) {
            add("Vary", "Accept-Encoding");
        }
        if (!style.cacheControl().isEmpty()) {
            add("Cache-Control", style.cacheControl());
        }
        if (outcome == Conditions.Outcome.NOT_MODIFIED) {
            return new FileAnswer(304, headers, version, List.of());
        }
        add("Accept-Ranges", "bytes");
        add("X-Content-Type-Options", "nosniff");
        if (coding != null) {
            add("Content-Encoding", coding.token());
        }
        disposition();
        String range = request.header("Range");
        boolean ranged = request.method().equals("GET") && conditions.rangeCounts();
        RangeHeader.Wanted wanted =
                range != null && ranged
                        ? RangeHeader.parse(range, version.size(), style.mostRanges())
                        : new RangeHeader.Whole();
        return switch (wanted) {
            case RangeHeader.Whole() -> whole();
            case RangeHeader.Nothing() -> nothing();
            case RangeHeader.Parts(List<ByteRange> ranges) ->
                    ranges.size() == 1 ? single(ranges.getFirst()) : several(ranges);
        };
    }

    /** Each coding has an ETag of its own: RFC 9110 section 8.8.3.3. */
    private String etag(@Nullable Coding coding) {
        String plain = version.etag();
        return coding == null
                ? plain
                : plain.substring(0, plain.length() - 1) + "-" + coding.token() + "\"";
    }

    private void disposition() {
        boolean asked = request.query().equals("download");
        String type = asked ? "attachment" : style.disposition();
        if (!type.isEmpty()) {
            add("Content-Disposition", ContentName.disposition(type, file.name()));
        }
    }

    private FileAnswer whole() {
        add("Content-Type", type());
        List<Segment> body =
                version.size() == 0
                        ? List.of()
                        : List.of(new Segment.Part(new ByteRange(0, version.size())));
        return answer(200, body);
    }

    private FileAnswer nothing() {
        add("Content-Range", "bytes */" + version.size());
        return answer(416, List.of());
    }

    private FileAnswer single(ByteRange range) {
        add("Content-Type", type());
        add("Content-Range", range.contentRange(version.size()));
        return answer(206, List.of(new Segment.Part(range)));
    }

    private FileAnswer several(List<ByteRange> ranges) {
        // Of this answer alone: no file can hold it, not even on purpose (RFC 2046 section 5.1.1).
        String boundary = "lrwp-part-" + UUID.randomUUID();
        add("Content-Type", "multipart/byteranges; boundary=" + boundary);
        List<Segment> body = new ArrayList<>();
        for (ByteRange range : ranges) {
            body.add(
                    new Segment.Text(
                            "\r\n--"
                                    + boundary
                                    + "\r\nContent-Type: "
                                    + type()
                                    + "\r\nContent-Range: "
                                    + range.contentRange(version.size())
                                    + "\r\n\r\n"));
            body.add(new Segment.Part(range));
        }
        body.add(new Segment.Text("\r\n--" + boundary + "--\r\n"));
        return answer(206, body);
    }

    private FileAnswer answer(int status, List<Segment> body) {
        long length = body.stream().mapToLong(Segment::length).sum();
        add("Content-Length", Long.toString(length));
        boolean head = request.method().equals("HEAD");
        return new FileAnswer(status, headers, version, head ? List.of() : body);
    }

    private String type() {
        return style.types().of(file.name());
    }

    private void add(String name, String value) {
        headers.add(new HeaderField(name, value));
    }
}
