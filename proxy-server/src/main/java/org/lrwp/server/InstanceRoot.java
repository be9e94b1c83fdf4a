package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
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
        Path folder = Files.createTempDirectory(parent, PREFIX);
        FileChannel lock =
                FileChannel.open(
                        folder.resolve(LOCK),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE);
        if (lock.tryLock() == null) {
            throw new IOException("cannot lock " + folder);
        }
        return new InstanceRoot(folder, lock);
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
            System.getLogger(InstanceRoot.class.getName())
                    .log(
                            System.Logger.Level.DEBUG,
                            () -> "instance-root-left folder=" + folder,
                            leftForTheNextStart);
        }
    }

    private static void sweep(Path parent) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : left) {
                if (isAbandoned(folder.resolve(LOCK))) {
                    delete(folder);
                }
            }
        }
    }

    /** Only a folder with our lock file that we may write and nobody has locked is abandoned. */
    private static boolean isAbandoned(Path lockFile) {
        if (!Files.isWritable(lockFile)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
                @Nullable FileLock held = channel.tryLock()) {
            return held != null;
        } catch (IOException | OverlappingFileLockException livingOrNotOurs) {
            return false;
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
