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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

class RotatingFileTest {
    @TempDir private Path folder;
    private final List<IOException> faults = new ArrayList<>();

    private RotatingFile open(long size, int kept) throws IOException {
        return new RotatingFile(folder.resolve("log"), new Rotation(size, kept), faults::add);
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
        assertThrows(IllegalArgumentException.class, () -> new Rotation(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> new Rotation(0, 0));
    }
}
