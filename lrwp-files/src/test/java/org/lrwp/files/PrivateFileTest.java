package org.lrwp.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

class PrivateFileTest {
    @TempDir private Path folder;

    private String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private void setMode(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private static void refused(Path file, String why) {
        for (Opening opening : new Opening[] {PrivateFile::open, PrivateFile::append}) {
            UnsafeFileException e =
                    assertThrows(UnsafeFileException.class, () -> opening.open(file).close());
            assertTrue(String.valueOf(e.getMessage()).contains(why), e.getMessage());
        }
    }

    private interface Opening {
        AutoCloseable open(Path file) throws IOException;
    }

    @Test
    void newFilesAreForTheirOwnerOnly() throws Exception {
        PrivateFile.open(folder.resolve("opened")).close();
        PrivateFile.append(folder.resolve("appended")).close();
        PrivateFile.create(folder.resolve("created")).close();

        for (String name : new String[] {"opened", "appended", "created"}) {
            assertEquals("rw-------", mode(folder.resolve(name)));
        }
    }

    @Test
    void whatIsThereStaysWhenAFileIsOpened() throws Exception {
        Path file = folder.resolve("file");
        Files.writeString(file, "one");
        try (OutputStream out = PrivateFile.append(file)) {
            out.write('+');
        }
        try (FileChannel channel = PrivateFile.open(file)) {
            channel.write(ByteBuffer.wrap(new byte[] {'O'}));
        }
        assertEquals("One+", Files.readString(file));
    }

    @Test
    void aSymbolicLinkIsNotFollowedNotEvenADanglingOne() throws Exception {
        Path victim = folder.resolve("victim");
        Path link = Files.createSymbolicLink(folder.resolve("link"), victim);
        refused(link, "is a symbolic link");
        assertTrue(Files.notExists(victim));
        Files.writeString(victim, "precious");
        refused(link, "is a symbolic link");
        assertEquals("precious", Files.readString(victim));
        assertThrows(FileAlreadyExistsException.class, () -> PrivateFile.create(link).close());
    }

    @Test
    void aPipeOrFolderIsRefusedAndNobodyWaits() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        refused(pipe, "is not a regular file");
        refused(Files.createDirectory(folder.resolve("sub")), "is not a regular file");
    }

    @Test
    void aSecondNameOfAFileIsRefused() throws Exception {
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        refused(Files.createLink(folder.resolve("link"), victim), "more than one name");
        assertEquals("precious", Files.readString(victim));
    }

    @Test
    void aFileOfAnotherUserIsRefused() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")), "only root gives files away");
        Path file = Files.writeString(folder.resolve("file"), "planted");
        setMode(file, "rw-------");
        assertTrue(PrivateFile.isOwn(file));
        Files.setAttribute(file, "unix:uid", 12345);
        assertFalse(PrivateFile.isOwn(file));
        refused(file, "belongs to 12345, not to");
    }

    @Test
    void aFileThatItsGroupOrOthersMayWriteIsRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "planted");
        setMode(file, "rw-rw----");
        refused(file, "may be written by others (rw-rw----)");
        setMode(file, "rw-----w-");
        refused(file, "may be written by others (rw-----w-)");
    }

    @Test
    void aFileThatOthersMayReadIsHiddenFromThem() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        setMode(file, "rw-r--r--");
        PrivateFile.open(file).close();
        assertEquals("rw-------", mode(file));
    }

    @Test
    void aGroupThatWasAllowedToReadKeepsThat() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        setMode(file, "rw-r-----");
        PrivateFile.append(file).close();
        assertEquals("rw-r-----", mode(file));
    }

    @Test
    void aFolderInWhichEverybodyMayReplaceFilesIsRefusedUnlessItIsSticky() throws Exception {
        Path file = folder.resolve("file");
        setMode(folder, "rwxrwxrwx");
        refused(file, "everybody may replace files");
        Files.setAttribute(folder, "unix:mode", 01777);
        PrivateFile.open(file).close();
        PrivateFile.checkFolder(file);
        setMode(folder, "rwx------");
    }

    @Test
    void aLogIsWrittenWhereOthersCanReplaceItAndThatIsTold() throws Exception {
        Path file = folder.resolve("log");
        List<String> told = new ArrayList<>();
        PrivateFile.appendLog(file, told::add).close();
        assertEquals(List.of(), told);
        setMode(folder, "rwxrwxrwx");
        PrivateFile.appendLog(file, told::add).close();
        assertEquals(1, told.size());
        assertTrue(told.getFirst().startsWith(file + " is in a folder in which"), told::toString);
        setMode(folder, "rwx------");
        setMode(file, "rw-rw----");
        PrivateFile.appendLog(file, told::add).close();
        assertTrue(told.getLast().contains("may be written by others"), told::toString);
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThrows(
                UnsafeFileException.class, () -> PrivateFile.appendLog(link, told::add).close());
    }
}
