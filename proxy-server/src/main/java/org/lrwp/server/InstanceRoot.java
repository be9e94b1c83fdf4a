package org.lrwp.server;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.PrivateFile;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The temporary folder the container unpacks into. It is removed when closed; one that a killed
 * server left behind is removed by the next start, which tells the dead from the living by the file
 * lock that a living server holds.
 */
final class InstanceRoot implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(InstanceRoot.class.getName());

    /** Servers that start at the same time and sweep each other's folder. */
    private static final int TRIES = 10;

    private static final String PREFIX = "lrwp-proxy-";
    private static final String LOCK = "lock";

    private final Path folder;
    private final FileChannel lock;

    private InstanceRoot(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Makes a folder below {@code parent} and sweeps those that nobody holds any more.
     *
     * @throws IOException when the folder cannot be made
     */
    static InstanceRoot under(Path parent) throws IOException {
        sweep(parent);
        for (int i = 0; i < TRIES; i++) {
            InstanceRoot made = make(parent);
            if (made != null) {
                return made;
            }
        }
        throw new IOException("cannot lock a folder in " + parent);
    }

    /** Returns null when another server that starts has swept the folder before it was locked. */
    private static @Nullable InstanceRoot make(Path parent) throws IOException {
        Path folder = Files.createTempDirectory(parent, PREFIX);
        Path file = folder.resolve(LOCK);
        FileChannel lock;
        try {
            lock = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (NoSuchFileException swept) {
            return null;
        }
        if (isOurs(lock) && Files.exists(file)) {
            return new InstanceRoot(folder, lock);
        }
        lock.close();
        return null;
    }

    private static boolean isOurs(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException anotherOfThisProcess) {
            return false;
        }
    }

    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        try {
            lock.close();
            delete(folder);
        } catch (IOException leftForTheNextStart) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    () -> "instance-root-left folder=" + folder,
                    leftForTheNextStart);
        }
    }

    private static void sweep(Path parent) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : left) {
                sweepIfAbandoned(folder);
            }
        }
    }

    /**
     * Only a folder of this user with a lock file that we may write and nobody has locked is
     * abandoned. It is locked until it is gone, so that nobody moves in meanwhile.
     */
    private static void sweepIfAbandoned(Path folder) {
        Path file = folder.resolve(LOCK);
        if (!Files.isWritable(file)) {
            return;
        }
        try {
            if (PrivateFile.isOwn(folder)) {
                sweep(folder, file);
            }
        } catch (IOException sweptByAnotherOrNotOurs) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    () -> "instance-root-left folder=" + folder,
                    sweptByAnotherOrNotOurs);
        }
    }

    private static void sweep(Path folder, Path lock) throws IOException {
        try (FileChannel channel =
                FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            if (isOurs(channel)) {
                delete(folder);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path visited, @Nullable IOException failure) throws IOException {
                        Files.deleteIfExists(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
