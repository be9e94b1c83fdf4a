package org.lrwp.osp.file;

import org.lrwp.files.PrivateFile;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Makes the program's own files and folders, which hold keys, numbers and who called whom: files
 * have mode 0600 and folders 0700 from their first moment, whatever the umask is. Where the file
 * system has no such modes they are as it makes them. Any thread may call it; blocks on the disk.
 */
public final class PrivateFiles {
    private static final Set<PosixFilePermission> FILE =
            PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<?>[] NONE = {};
    private static final boolean HAS_MODES =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final FileAttribute<?>[] FOLDER_MODE = mode("rwx------");
    private static final FileAttribute<?>[] FILE_MODE = mode("rw-------");

    private PrivateFiles() {}

    private static FileAttribute<?>[] mode(String text) {
        return HAS_MODES
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))
                }
                : NONE;
    }

    /**
     * Makes a folder with those above it, as far as they are missing. One that is there stays as it
     * is: somebody has chosen its mode.
     *
     * @param folder the folder
     * @return the folder
     * @throws IOException when it cannot be made
     */
    public static Path makeFolder(Path folder) throws IOException {
        return Files.createDirectories(folder, FOLDER_MODE);
    }

    /**
     * Makes the folder that a file is to be in, as {@link #makeFolder} does.
     *
     * @param file the file
     * @throws IOException when the folder cannot be made
     */
    public static void makeFolderOf(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            makeFolder(folder);
        }
    }

    /**
     * Makes an empty file.
     *
     * @param file the file
     * @throws FileAlreadyExistsException when it is there already
     * @throws IOException when it cannot be made
     */
    public static void create(Path file) throws IOException {
        Files.createFile(file, FILE_MODE);
    }

    /**
     * Makes a file if it is missing, and takes the rights of others away from one that is there.
     *
     * @param file the file
     * @throws IOException when it cannot be made, or may be somebody else's work: a link, a file of
     *     another user, or one that others could write
     */
    public static void own(Path file) throws IOException {
        PrivateFile.append(file).close();
        if (HAS_MODES && !FILE.containsAll(Files.getPosixFilePermissions(file))) {
            Files.setPosixFilePermissions(file, FILE);
        }
    }

    /**
     * Makes a file and opens it.
     *
     * @param file the file
     * @param options how, such as {@link StandardOpenOption#WRITE}
     * @return the open file, the caller's to close
     * @throws FileAlreadyExistsException when it is there already
     * @throws IOException when it cannot be made
     */
    public static FileChannel openNew(Path file, OpenOption... options) throws IOException {
        create(file);
        return FileChannel.open(file, options);
    }

    /**
     * Opens a file that is {@link #own}ed first.
     *
     * @param file the file
     * @param options how, such as {@link StandardOpenOption#APPEND}
     * @return the open file, the caller's to close
     * @throws IOException when it cannot be opened
     */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        own(file);
        return FileChannel.open(file, options);
    }
}
