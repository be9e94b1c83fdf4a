package org.lrwp.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

class FileFaultTest {
    @TempDir Path folder;

    @Test
    void aFileOrItsFolderDoesNotExist() {
        Path file = folder.resolve("none");
        var fault = assertThrows(IOException.class, () -> Files.readString(file));
        assertEquals("does not exist", FileFault.reason(fault));
        assertEquals(file + ": does not exist", FileFault.of(fault));

        var deeper =
                assertThrows(IOException.class, () -> Files.writeString(file.resolve("a"), ""));
        assertEquals("the folder " + file + " does not exist", FileFault.reason(deeper));
    }

    @Test
    void whatOnlyHasAPathForAMessageIsPutInWords() {
        assertEquals("/x: permission denied", FileFault.of(new AccessDeniedException("/x")));
        assertEquals(
                "/x: Is a directory",
                FileFault.of(new FileSystemException("/x", null, "Is a directory")));
        assertEquals("FileSystemException", FileFault.reason(new FileSystemException("/x")));
        assertEquals("is not UTF-8", FileFault.reason(new MalformedInputException(1)));
    }

    @Test
    void whatSpeaksForItselfIsLeft() {
        assertEquals("no room", FileFault.of(new IOException("no room")));
        assertEquals("EOFException", FileFault.of(new EOFException()));
    }
}
