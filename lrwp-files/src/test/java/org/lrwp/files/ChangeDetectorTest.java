package org.lrwp.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;

class ChangeDetectorTest {
    private static final FileTime TIME = FileTime.fromMillis(1_000_000_000_000L);

    @TempDir Path folder;
    private Path first;
    private Path second;
    private ChangeDetector<List<FileStamp>> files;

    @BeforeEach
    void write() throws Exception {
        first = folder.resolve("first");
        second = folder.resolve("second");
        Files.writeString(first, "one");
        files = new ChangeDetector<>(() -> FileStamp.of(first, second));
    }

    @Test
    void whatIsThereAtFirstIsNotNew() {
        assertFalse(files.hasChanged());
        assertFalse(files.hasChanged());
    }

    @Test
    void aChangeIsToldOnceWhenNobodyWritesAnyMore() throws Exception {
        Files.writeString(second, "half");
        assertFalse(files.hasChanged());
        Files.writeString(second, "half and half");
        assertFalse(files.hasChanged());
        assertTrue(files.hasChanged());
        assertFalse(files.hasChanged());
    }

    @Test
    void aFileThatGoesIsAChange() throws Exception {
        Files.delete(first);
        assertFalse(files.hasChanged());
        assertTrue(files.hasChanged());
    }

    @Test
    void anotherFileOfTheSameTimeAndSizeIsAChange() throws Exception {
        Files.setLastModifiedTime(first, TIME);
        files.reset();
        Path other = Files.writeString(folder.resolve("other"), "two");
        Files.setLastModifiedTime(other, TIME);
        Files.move(other, first, StandardCopyOption.REPLACE_EXISTING);

        assertFalse(files.hasChanged());
        assertTrue(files.hasChanged());
    }

    @Test
    void whatIsTakenBackBeforeItSettlesIsNoChange() throws Exception {
        Files.writeString(second, "wrong");
        assertFalse(files.hasChanged());
        Files.delete(second);
        assertFalse(files.hasChanged());
        assertFalse(files.hasChanged());
    }

    @Test
    void whatWasReadMeanwhileIsNotNew() throws Exception {
        Files.writeString(second, "new");
        files.reset();
        assertFalse(files.hasChanged());
    }

    @Test
    void whatCannotBeUsedIsReadAgainAtEachLookAndToldOnce() throws Exception {
        Files.writeString(second, "closed");
        assertFalse(files.hasChanged());
        assertTrue(files.hasChanged());
        assertTrue(files.failed("its mode"));
        assertTrue(files.hasChanged());
        assertFalse(files.failed("its mode"));
        assertTrue(files.hasChanged());
        assertTrue(files.failed("no more files can be opened"));
        assertTrue(files.hasChanged());
        assertFalse(files.hasChanged());
    }

    @Test
    void whatIsDearToReadIsReadAgainAtSomeLooksOnlyAndAChangeAtOnce() throws Exception {
        var dear = new ChangeDetector<>(() -> FileStamp.of(first, second), 3);
        Files.writeString(second, "closed");
        assertTrue(dear.hasChangedAtOnce());
        for (int i = 0; i < 2; i++) {
            assertEquals(i == 0, dear.failed("its mode"));
            assertFalse(dear.hasChangedAtOnce());
            assertFalse(dear.hasChangedAtOnce());
            assertTrue(dear.hasChangedAtOnce());
        }
        assertFalse(dear.failed("its mode"));
        Files.writeString(second, "another");
        assertTrue(dear.hasChangedAtOnce());
        assertFalse(dear.hasChangedAtOnce());
    }

    @Test
    void aChangeThatCannotBeUsedEitherIsToldAgain() throws Exception {
        Files.writeString(second, "bad");
        assertTrue(files.hasChangedAtOnce());
        assertTrue(files.failed("bad"));
        Files.writeString(second, "as bad");
        assertTrue(files.hasChangedAtOnce());
        assertTrue(files.failed("bad"));
    }

    @Test
    void whatIsBeingWrittenAfterAFailureIsLeftAlone() throws Exception {
        Files.writeString(second, "bad");
        assertFalse(files.hasChanged());
        assertTrue(files.hasChanged());
        assertTrue(files.failed("bad"));
        Files.writeString(second, "half of a good one");
        assertFalse(files.hasChanged());
        assertTrue(files.hasChanged());
        assertFalse(files.hasChanged());
    }
}
