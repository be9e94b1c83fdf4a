package org.lrwp.engine.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;

/** Ranges of a stored answer: RFC 9110 section 14, with If-Range of section 13.1.5. */
class StoredRangeTest {
    private static final String BEFORE = "Wed, 31 Dec 2025 23:59:59 GMT";
    private static final String SAME_SECOND = "Thu, 01 Jan 2026 00:00:00 GMT";

    @TempDir private Path folder;
    private CacheScene scene;

    @BeforeEach
    void open() throws Exception {
        scene = new CacheScene(folder);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    private void store(String changed) throws Exception {
        scene.get("/a");
        scene.last()
                .answer(
                        200,
                        "0123456789",
                        "Cache-Control: max-age=60",
                        "ETag: \"e\"",
                        "Date: " + SAME_SECOND,
                        "Last-Modified: " + changed);
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=2-4, 206, 234, bytes 2-4/10",
        "bytes=7-, 206, 789, bytes 7-9/10",
        "bytes=-2, 206, 89, bytes 8-9/10",
        "bytes=-99, 206, 0123456789, bytes 0-9/10",
        "bytes=8-99, 206, 89, bytes 8-9/10",
        "bytes=10-, 416, '', bytes */10",
        "bytes=-0, 416, '', bytes */10",
        "bytes=4-2, 200, 0123456789, ''",
        "bytes=-, 200, 0123456789, ''",
        "lines=2-4, 200, 0123456789, ''",
    })
    void isAsTheClientAsks(String range, int status, String text, String contentRange)
            throws Exception {
        store(BEFORE);

        CacheScene.Ask part = scene.get("/a", "Range: " + range);

        assertEquals(status, part.status());
        assertEquals(text, part.text());
        assertEquals(contentRange, part.field("Content-Range"));
    }

    @ParameterizedTest
    @CsvSource({"\"e\", 206", "\"f\", 200", "W/\"e\", 200"})
    void countsOnlyWithTheSameStrongTag(String tag, int status) throws Exception {
        store(BEFORE);

        assertEquals(status, scene.get("/a", "Range: bytes=2-4", "If-Range: " + tag).status());
    }

    @Test
    void countsWithTheDateOfTheAnswer() throws Exception {
        store(BEFORE);

        assertEquals(206, scene.get("/a", "Range: bytes=2-4", "If-Range: " + BEFORE).status());
        assertEquals(200, scene.get("/a", "Range: bytes=2-4", "If-Range: " + SAME_SECOND).status());
    }

    /** Another change in that second would have the same date: RFC 9110 section 8.8.2.2. */
    @Test
    void doesNotCountWithADateThatIsWeak() throws Exception {
        store(SAME_SECOND);

        assertEquals(200, scene.get("/a", "Range: bytes=2-4", "If-Range: " + SAME_SECOND).status());
    }
}
