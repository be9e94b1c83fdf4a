package org.lrwp.download.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.download.file.FileState;
import org.lrwp.download.file.FileVersion;
import org.lrwp.download.file.Found;
import org.lrwp.testkit.Head;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

class UsualAnswersTest {
    private static final FileAnswer.Style STYLE =
            new FileAnswer.Style(ContentTypes.usual(), 8, "", "");

    private static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:05Z");

    private Instant now = Instant.parse("2026-11-23T12:00:00Z");
    private final UsualAnswers answers = new UsualAnswers(STYLE, () -> now);
    private final Found.File file = file(Map.of());

    private static Found.File file(Map<String, FileVersion> coded) {
        return new Found.File("a.txt", version("a.txt"), coded);
    }

    private static FileVersion version(String name) {
        FileState state = new FileState(100, MODIFIED, MODIFIED, "1");
        return new FileVersion(Path.of(name), state, 7, null);
    }

    @Test
    void theUsualAnswerIsMadeOnceForEachLookAtAFile() {
        FileAnswer first = answers.of(Head.get("/a.txt"), file);

        assertSame(first, answers.of(Head.get("/a.txt").with("User-Agent", "x"), file));
        assertNotSame(first, answers.of(Head.get("/a.txt"), file(Map.of())));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, Range, bytes=0-9, 206",
        "GET, If-None-Match, *, 304",
        "GET, If-Modified-Since, 'Sat, 03 Jan 2026 00:00:00 GMT', 304",
        "GET, If-Match, \"other\", 412",
        "GET, If-Unmodified-Since, 'Thu, 01 Jan 2026 00:00:00 GMT', 412",
        "HEAD, Accept, */*, 200"
    })
    void anAnswerThatDependsOnTheRequestIsItsOwn(
            String method, String name, String value, int status) {
        FileAnswer usual = answers.of(Head.get("/a.txt"), file);

        FileAnswer answer = answers.of(Head.of(method, "/a.txt").with(name, value), file);

        assertEquals(status, answer.status());
        assertNotSame(usual, answer);
        assertSame(usual, answers.of(Head.get("/a.txt"), file));
    }

    @Test
    void aCodingIsChosenForEachRequest() {
        Found.File both = file(Map.of(".gz", version("a.txt.gz")));
        FileAnswer plain = answers.of(Head.get("/a.txt"), both);

        FileAnswer coded = answers.of(Head.get("/a.txt").with("Accept-Encoding", "gzip"), both);

        assertEquals(Path.of("a.txt"), plain.version().path());
        assertEquals(Path.of("a.txt.gz"), coded.version().path());
    }

    @Test
    void aQueryMayAskForAnotherDisposition() {
        FileAnswer usual = answers.of(Head.get("/a.txt"), file);

        FileAnswer download = answers.of(Head.get("/a.txt?download"), file);

        assertEquals(usual.headers().size() + 1, download.headers().size());
    }

    @Test
    void lastModifiedIsTheTimeOfTheAnswerWhileTheFileIsFromTheFuture() {
        now = MODIFIED.minusSeconds(2);
        assertEquals("Fri, 02 Jan 2026 03:04:03 GMT", lastModified());
        now = MODIFIED.minusSeconds(1);
        assertEquals("Fri, 02 Jan 2026 03:04:04 GMT", lastModified());
        now = MODIFIED.plusSeconds(9);
        assertEquals("Fri, 02 Jan 2026 03:04:05 GMT", lastModified());
    }

    private String lastModified() {
        return answers.of(Head.get("/a.txt"), file).headers().stream()
                .filter(field -> field.name().equals("Last-Modified"))
                .findFirst()
                .orElseThrow()
                .value();
    }
}
