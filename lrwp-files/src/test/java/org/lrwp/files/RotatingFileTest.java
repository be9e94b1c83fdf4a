package org.lrwp.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

class RotatingFileTest {
    @TempDir private Path folder;
    private final List<IOException> faults = new ArrayList<>();

    private RotatingFile open(long size, int kept) throws IOException {
        var rotation = new Rotation(size, false, kept);
        return new RotatingFile(
                folder.resolve("log"), rotation, faults::add, null, InstantSource.system());
    }

    /** The time of a test. */
    private static final class Hand implements InstantSource {
        private volatile Instant now = Instant.parse("2026-01-02T23:59:59Z");

        @Override
        public Instant instant() {
            return now;
        }
    }

    private RotatingFile daily(InstantSource clock) throws IOException {
        var rotation = new Rotation(0, true, 2);
        return new RotatingFile(folder.resolve("log"), rotation, faults::add, null, clock);
    }

    @Test
    void aNewFileBeginsWithTheDay() throws Exception {
        var hand = new Hand();
        try (RotatingFile file = daily(hand)) {
            write(file, "a");
            write(file, "b");
            hand.now = Instant.parse("2026-01-03T00:00:00Z");
            write(file, "c");
            write(file, "d");
        }
        assertEquals("a\nb\n", text("log.1"));
        assertEquals("c\nd\n", text("log"));
        assertTrue(Files.notExists(folder.resolve("log.2")));
    }

    @Test
    void whatAnotherDayLeftIsRotatedByTheFirstLine() throws Exception {
        Path log = folder.resolve("log");
        try (RotatingFile file = open(0, 2)) {
            write(file, "old");
        }
        Files.setLastModifiedTime(log, FileTime.from(Instant.parse("2026-01-01T12:00:00Z")));
        try (RotatingFile file = daily(new Hand())) {
            write(file, "new");
        }
        assertEquals("old\n", text("log.1"));
        assertEquals("new\n", text("log"));
    }

    @Test
    void aDayThatCannotRotateIsToldOnceAndGoesOn() throws Exception {
        var hand = new Hand();
        try (RotatingFile file = daily(hand)) {
            write(file, "a");
            Files.createDirectories(folder.resolve("log.1/full"));
            Files.createDirectories(folder.resolve("log.2/full"));
            hand.now = Instant.parse("2026-01-03T00:00:00Z");
            write(file, "b");
            write(file, "c");
        }
        assertEquals("a\nb\nc\n", text("log"));
        assertEquals(1, faults.size());
    }

    private static void write(RotatingFile file, String line) throws IOException {
        file.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    void fullFilesAreKeptUpToTheirNumberAndNoLineIsCut() throws Exception {
        try (RotatingFile file = open(8, 2)) {
            for (String line : new String[] {"aaa", "bbb", "ccc", "ddd", "eee", "fff", "ggg"}) {
                write(file, line);
            }
        }
        assertEquals("ggg\n", text("log"));
        assertEquals("eee\nfff\n", text("log.1"));
        assertEquals("ccc\nddd\n", text("log.2"));
        assertTrue(Files.notExists(folder.resolve("log.3")));
        assertEquals(List.of(), faults);
    }

    @Test
    void eachNewFileIsForItsOwnerOnly() throws Exception {
        try (RotatingFile file = open(4, 1)) {
            write(file, "aaa");
            write(file, "bbb");
        }
        for (String name : new String[] {"log", "log.1"}) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(folder.resolve(name))));
        }
    }

    @Test
    void aLineThatIsLongerThanTheSizeIsWrittenWhole() throws Exception {
        try (RotatingFile file = open(4, 1)) {
            write(file, "aaaaaaaaaa");
            write(file, "b");
        }
        assertEquals("aaaaaaaaaa\n", text("log.1"));
        assertEquals("b\n", text("log"));
    }

    @Test
    void whatARestartFindsCountsForTheSize() throws Exception {
        Files.writeString(folder.resolve("log"), "old\n");
        try (RotatingFile file = open(6, 1)) {
            write(file, "new");
        }
        assertEquals("old\n", text("log.1"));
        assertEquals("new\n", text("log"));
    }

    @Test
    void withSizeZeroItNeverRotates() throws Exception {
        try (RotatingFile file = open(0, 1)) {
            for (int i = 0; i < 100; i++) {
                write(file, "aaaaaaaaa");
            }
        }
        assertEquals(1000, text("log").length());
        assertTrue(Files.notExists(folder.resolve("log.1")));
    }

    @Test
    void afterReopenLinesGoToTheFileThatHasItsNameNow() throws Exception {
        try (RotatingFile file = open(0, 1)) {
            write(file, "old");
            Files.move(folder.resolve("log"), folder.resolve("renamed"));
            write(file, "still old");
            file.reopen();
            write(file, "new");
        }
        assertEquals("old\nstill old\n", text("renamed"));
        assertEquals("new\n", text("log"));
    }

    @Test
    void whenRenamingFailsLinesGoOnAndItIsToldAndTriedAgain() throws Exception {
        Path blocked = Files.createDirectories(folder.resolve("log.1/full"));
        try (RotatingFile file = open(8, 1)) {
            for (String line : new String[] {"aaa", "bbb", "ccc"}) {
                write(file, line);
            }
            assertEquals("aaa\nbbb\nccc\n", text("log"));
            assertEquals(1, faults.size());
            Files.delete(blocked);
            Files.delete(folder.resolve("log.1"));
            write(file, "ddd");
            write(file, "eee");
        }
        assertEquals("aaa\nbbb\nccc\nddd\n", text("log.1"));
        assertEquals("eee\n", text("log"));
    }

    @Test
    void aFileOfSomebodyElseIsNotWrittenTo() throws Exception {
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        Files.createSymbolicLink(folder.resolve("log"), victim);
        assertThrows(UnsafeFileException.class, () -> open(0, 1).close());
        assertEquals("precious", Files.readString(victim));
    }

    @Test
    void aFileThatCannotBeOpenedAnyMoreIsTriedAgainWithTheNextLine() throws Exception {
        try (RotatingFile file = open(0, 1)) {
            Files.move(folder.resolve("log"), folder.resolve("renamed"));
            Files.createDirectory(folder.resolve("log"));
            assertThrows(IOException.class, file::reopen);
            assertThrows(IOException.class, () -> write(file, "lost"));
            Files.delete(folder.resolve("log"));
            write(file, "there again");
        }
        assertEquals("there again\n", text("log"));
    }

    @Test
    void valuesOutsideTheirRangeAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Rotation(-1, false, 1));
        assertThrows(IllegalArgumentException.class, () -> new Rotation(0, false, 0));
    }
}
