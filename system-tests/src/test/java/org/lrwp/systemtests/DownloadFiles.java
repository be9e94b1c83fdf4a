package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.testkit.wire.Bytes;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** A folder to be served, and what RFC 9110 says of requests for it. */
final class DownloadFiles {
    /** What the small files hold. */
    static final String TEXT = "0123456789";

    /** Bytes of a file that 32 bits do not count. */
    private static final long HUGE = 5_000_000_000L;

    private static final Instant CHANGED = Instant.parse("2026-01-02T03:04:05Z");
    private static final String DATE = "Fri, 02 Jan 2026 03:04:05 GMT";

    private final Path root;
    private final byte[] large = Bytes.random(8_000_000, 3);

    DownloadFiles(Path root) {
        this.root = root;
    }

    byte[] large() {
        return large;
    }

    void make() throws IOException {
        Files.write(root.resolve("large.bin"), large);
        Files.writeString(root.resolve("t.txt"), TEXT);
        Files.writeString(root.resolve("t.txt.gz"), "coded");
        Files.writeString(root.resolve("plain.txt"), TEXT);
        Files.writeString(root.resolve("a b.txt"), "blank");
        Files.writeString(root.resolve(".hidden"), "hidden");
        Files.createSymbolicLink(root.resolve("out"), Path.of("/etc/passwd"));
        Files.createDirectory(root.resolve("sub"));
        try (RandomAccessFile huge =
                new RandomAccessFile(root.resolve("huge.bin").toFile(), "rw")) {
            // Next to nothing on the disk.
            huge.seek(HUGE - TEXT.length());
            huge.writeBytes(TEXT);
        }
        for (String name : List.of("t.txt", "t.txt.gz", "plain.txt")) {
            Files.setLastModifiedTime(root.resolve(name), FileTime.from(CHANGED));
        }
    }

    /**
     * One row of the table.
     *
     * @param target path below the context
     * @param headers of the request, separated by a bar
     * @param status expected
     * @param expected headers of the answer, and its body as {@code =body}, separated by a bar
     */
    private record Row(String target, String headers, int status, String expected) {}

    private static final List<Row> ROWS =
            List.of(
                    new Row(
                            "/plain.txt",
                            "",
                            200,
                            "Content-Length: 10|Accept-Ranges: bytes|=" + TEXT),
                    new Row("/plain.txt", "", 200, "Last-Modified: " + DATE),
                    new Row(
                            "/plain.txt",
                            "Range: bytes=0-3",
                            206,
                            "Content-Range: bytes 0-3/10|=0123"),
                    new Row(
                            "/plain.txt",
                            "Range: bytes=7-",
                            206,
                            "Content-Range: bytes 7-9/10|=789"),
                    new Row(
                            "/plain.txt",
                            "Range: bytes=-2",
                            206,
                            "Content-Range: bytes 8-9/10|=89"),
                    new Row("/plain.txt", "Range: bytes=5-99", 206, "Content-Range: bytes 5-9/10"),
                    new Row("/plain.txt", "Range: bytes=10-", 416, "Content-Range: bytes */10"),
                    new Row("/plain.txt", "Range: bytes=3-2", 200, "=" + TEXT),
                    new Row("/plain.txt", "Range: pages=1-2", 200, "=" + TEXT),
                    new Row("/plain.txt", "Range: bytes=0-0,9-9", 206, ""),
                    new Row("/plain.txt", "Range: bytes=0-3|If-Range: @ETAG", 206, "=0123"),
                    new Row("/plain.txt", "Range: bytes=0-3|If-Range: \"x\"", 200, "=" + TEXT),
                    new Row("/plain.txt", "Range: bytes=0-3|If-Range: " + DATE, 206, "=0123"),
                    new Row("/plain.txt", "If-None-Match: @ETAG", 304, "ETag: @ETAG"),
                    new Row("/plain.txt", "If-None-Match: \"x\", W/@ETAG", 304, ""),
                    new Row("/plain.txt", "If-None-Match: \"x\"", 200, "=" + TEXT),
                    new Row("/plain.txt", "If-Modified-Since: " + DATE, 304, ""),
                    new Row(
                            "/plain.txt",
                            "If-None-Match: \"x\"|If-Modified-Since: " + DATE,
                            200,
                            "=" + TEXT),
                    new Row("/plain.txt", "If-Match: \"x\"", 412, ""),
                    new Row("/plain.txt", "If-Match: @ETAG", 200, "=" + TEXT),
                    new Row(
                            "/plain.txt",
                            "If-Unmodified-Since: Thu, 01 Jan 2026 00:00:00 GMT",
                            412,
                            ""),
                    new Row(
                            "/t.txt",
                            "Accept-Encoding: gzip",
                            200,
                            "Content-Encoding: gzip|=coded"),
                    new Row(
                            "/t.txt",
                            "Accept-Encoding: gzip;q=0",
                            200,
                            "Vary: Accept-Encoding|=" + TEXT),
                    new Row("/a%20b.txt", "", 200, "=blank"),
                    new Row(
                            "/a%20b.txt?download",
                            "", 200, "Content-Disposition: attachment; filename=\"a b.txt\""),
                    new Row(
                            "/huge.bin",
                            "Range: bytes=-3",
                            206,
                            "Content-Range: bytes 4999999997-4999999999/5000000000|=789"),
                    new Row("/huge.bin", "Range: bytes=4999999992-4999999995", 206, "=2345"),
                    new Row("/none", "", 404, ""),
                    new Row("/.hidden", "", 404, ""),
                    new Row("/%2ehidden", "", 404, ""),
                    new Row("/out", "", 404, ""),
                    new Row("/%252e%252e/secret", "", 404, ""),
                    new Row("/sub/", "", 404, ""),
                    new Row("/sub", "", 301, "Location: ./sub/"));

    /** Asks for everything, twice: from the disk and from memory. */
    void requireAll(RawHttp client, String context) throws IOException {
        String etag = client.get(context + "/plain.txt").value("ETag").orElseThrow();
        for (int round = 0; round < 2; round++) {
            for (Row row : ROWS) {
                String[] headers =
                        row.headers.isEmpty()
                                ? new String[0]
                                : row.headers.replace("@ETAG", etag).split("\\|", -1);
                HttpAnswer answer = client.get(context + row.target, headers);
                requireRow(row, etag, answer);
            }
        }
        client.request("HEAD", context + "/large.bin");
        HttpAnswer head = client.answerToHead();
        assertEquals("8000000", head.value("Content-Length").orElse(""));
        client.request("HEAD", context + "/huge.bin");
        assertEquals("" + HUGE, client.answerToHead().value("Content-Length").orElse(""));
        client.send("DELETE", context + "/t.txt", new byte[0]);
        assertEquals(405, client.answer().status());
        assertArrayEquals(large, client.get(context + "/large.bin").body());
        assertArrayEquals(
                Arrays.copyOfRange(large, 5_000_000, 7_000_000),
                client.get(context + "/large.bin", "Range: bytes=5000000-6999999").body());
    }

    private static void requireRow(Row row, String etag, HttpAnswer answer) {
        assertEquals(row.status, answer.status(), row + " " + answer);
        for (String expected : row.expected.replace("@ETAG", etag).split("\\|", -1)) {
            if (expected.startsWith("=")) {
                assertEquals(expected.substring(1), answer.text(), row.toString());
            } else if (!expected.isEmpty()) {
                int colon = expected.indexOf(": ");
                String value = answer.value(expected.substring(0, colon)).orElse("none");
                assertEquals(expected.substring(colon + 2), value, row.toString());
            }
        }
    }
}
