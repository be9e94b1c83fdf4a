package org.lrwp.files;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Whose a file is, and who else may touch it. */
final class FileOwner {
    private static final int STICKY = 01000;

    /** The owner that new files of this process get, for each file store: some map users. */
    private static final ConcurrentHashMap<Object, UserPrincipal> SELF = new ConcurrentHashMap<>();

    private FileOwner() {}

    static boolean hasModes(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    /** Checks what a file is that is there, and whose. */
    static void check(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new UnsafeFileException(
                    file,
                    Files.isSymbolicLink(file)
                            ? "is a symbolic link; name the file itself"
                            : "is not a regular file");
        }
        if (!hasModes(file)) {
            return;
        }
        PosixFileAttributes found = attributes(file);
        UserPrincipal self = self(file);
        if (!found.owner().equals(self)) {
            throw new UnsafeFileException(
                    file, "belongs to %s, not to %s".formatted(found.owner(), self));
        }
        if ((int) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS) > 1) {
            throw new UnsafeFileException(file, "has more than one name (hard links)");
        }
    }

    /** Says how others can get at a file that is there; null when they cannot. */
    static @Nullable String exposure(Path file) throws IOException {
        if (!hasModes(file)) {
            return null;
        }
        Set<PosixFilePermission> modes = attributes(file).permissions();
        return modes.contains(PosixFilePermission.GROUP_WRITE)
                        || modes.contains(PosixFilePermission.OTHERS_WRITE)
                ? "may be written by others (%s); remove it, or set its mode to 600"
                        .formatted(PosixFilePermissions.toString(modes))
                : folderExposure(file);
    }

    static boolean isOwn(Path file) throws IOException {
        return attributes(file).owner().equals(self(file));
    }

    /** Says how others can replace a file; null when they cannot. */
    static @Nullable String folderExposure(Path file) throws IOException {
        Path folder = folder(file);
        int mode = (int) Files.getAttribute(folder, "unix:mode");
        boolean everybody =
                Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_WRITE);
        return everybody && (mode & STICKY) == 0
                ? "is in a folder in which everybody may replace files; chmod o-w " + folder
                : null;
    }

    /** Takes a file that was checked from others' eyes. */
    static void hideFromOthers(Path file) throws IOException {
        if (hasModes(file)
                && attributes(file).permissions().contains(PosixFilePermission.OTHERS_READ)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
    }

    private static PosixFileAttributes attributes(Path file) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(
                        file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        return Objects.requireNonNull(view).readAttributes();
    }

    /** The JDK does not say who we are: a file made for a moment does. */
    private static UserPrincipal self(Path file) throws IOException {
        Path folder = folder(file);
        Object store = Files.getAttribute(folder, "unix:dev");
        UserPrincipal known = SELF.get(store);
        if (known != null) {
            return known;
        }
        Path made = Files.createTempFile(folder, ".lrwp", null);
        try {
            UserPrincipal self = attributes(made).owner();
            SELF.put(store, self);
            return self;
        } finally {
            Files.delete(made);
        }
    }

    private static Path folder(Path file) {
        @Nullable Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }
}
