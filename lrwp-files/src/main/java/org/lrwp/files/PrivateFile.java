package org.lrwp.files;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Opens files that belong to one user. A new file gets mode 0600. One that is there is used only
 * when nobody else can have put it there or written it: it is a regular file with one name, no
 * symbolic link, owned by the user of this process, and neither its group nor others may write it;
 * and its folder is not one in which everybody may replace it. If others could read it, its mode
 * becomes 0600; a group that may read it has been allowed to and keeps that.
 *
 * <p>It is looked at before and after it is opened. On a file system without POSIX modes only kind
 * and links are checked. Any thread; blocks on the disk.
 */
public final class PrivateFile {
    private PrivateFile() {}

    /**
     * Opens a file to read and write, and makes it when it is not there. Nothing of it is changed
     * before it has been checked.
     *
     * @param file where it is
     * @return an open channel at position 0
     * @throws UnsafeFileException when it is not this user's alone; the message says why
     * @throws IOException when it cannot be opened
     */
    public static FileChannel open(Path file) throws IOException {
        make(file);
        check(file);
        FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS);
        return checked(file, channel, PrivateFile::check);
    }

    /**
     * Opens a file to append to, and makes it when it is not there. The stream has no buffer, and
     * an interrupted thread may write to it.
     *
     * @param file where it is
     * @return an open stream
     * @throws UnsafeFileException when it is not this user's alone; the message says why
     * @throws IOException when it cannot be opened
     */
    public static OutputStream append(Path file) throws IOException {
        return append(file, PrivateFile::check);
    }

    /**
     * Opens a log file to append to, as {@link #append(Path)} does, but also when others can get at
     * it: where a whole volume is everybody's, a log that others could spoil is better than none.
     * Its kind, its owner and its links are checked all the same.
     *
     * @param file where it is
     * @param exposed is told, once for each opening, how others can write or replace it
     * @return an open stream
     * @throws UnsafeFileException when it is not this user's; the message says why
     * @throws IOException when it cannot be opened
     */
    public static OutputStream appendLog(Path file, Consumer<String> exposed) throws IOException {
        OutputStream stream = append(file, FileOwner::check);
        String exposure = FileOwner.exposure(file);
        if (exposure != null) {
            exposed.accept(file + " " + exposure);
        }
        return stream;
    }

    private static OutputStream append(Path file, Check check) throws IOException {
        make(file);
        check.of(file);
        OutputStream stream =
                Files.newOutputStream(
                        file,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND,
                        LinkOption.NOFOLLOW_LINKS);
        return checked(file, stream, check);
    }

    /**
     * Makes a file, mode 0600, and opens it.
     *
     * @param file where it shall be
     * @param options beside those for a new file, such as {@link
     *     StandardOpenOption#DELETE_ON_CLOSE}
     * @return an open channel, to read and write
     * @throws FileAlreadyExistsException when there is something, a dangling link too
     * @throws IOException when it cannot be made
     */
    public static FileChannel create(Path file, OpenOption... options) throws IOException {
        var all = new HashSet<OpenOption>(Set.of(options));
        all.add(StandardOpenOption.CREATE_NEW);
        all.add(StandardOpenOption.READ);
        all.add(StandardOpenOption.WRITE);
        return FileChannel.open(file, all, mode(file));
    }

    /**
     * Says whether a file or folder belongs to the user of this process. A symbolic link is not
     * followed: it is its own that counts.
     *
     * @param file a file that is there
     * @return true too where files have no owners
     * @throws IOException when it cannot be looked at
     */
    public static boolean isOwn(Path file) throws IOException {
        return !FileOwner.hasModes(file) || FileOwner.isOwn(file);
    }

    /**
     * Checks that nobody but its owner can replace a file: its folder is not one in which everybody
     * may, which a sticky folder such as {@code /tmp} is not.
     *
     * @param file a file, which need not be there; its folder is
     * @throws UnsafeFileException when anybody may put another file in its place
     * @throws IOException when the folder cannot be looked at
     */
    public static void checkFolder(Path file) throws IOException {
        refuse(file, FileOwner.hasModes(file) ? FileOwner.folderExposure(file) : null);
    }

    private static void refuse(Path file, @Nullable String exposure) throws UnsafeFileException {
        if (exposure != null) {
            throw new UnsafeFileException(file, exposure);
        }
    }

    private static void make(Path file) throws IOException {
        try {
            Files.createFile(file, mode(file));
        } catch (FileAlreadyExistsException there) {
            // It is checked next.
        }
    }

    /** What is asked of a file before and after it is opened. */
    private interface Check {
        void of(Path file) throws IOException;
    }

    private static void check(Path file) throws IOException {
        FileOwner.check(file);
        refuse(file, FileOwner.exposure(file));
    }

    private static <T extends AutoCloseable> T checked(Path file, T opened, Check check)
            throws IOException {
        try {
            check.of(file);
            FileOwner.hideFromOthers(file);
            return opened;
        } catch (IOException | RuntimeException e) {
            try {
                opened.close();
            } catch (Exception suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static FileAttribute<?>[] mode(Path file) {
        return FileOwner.hasModes(file)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
