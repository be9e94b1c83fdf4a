package org.lrwp.download.file;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds what is at a path of the root, and nothing outside it: names that begin with a dot are not
 * there, and where a symbolic link leads is looked at again. Blocks; for disk threads.
 */
final class FileFinder {
    /** A listing is cut here. */
    static final int MOST_ENTRIES = 10_000;

    private final FileRules rules;
    private final Path root;

    FileFinder(FileRules rules) throws IOException {
        this.rules = rules;
        this.root = rules.root().toRealPath();
        if (!Files.isDirectory(root)) {
            throw new IOException(root + " is not a folder");
        }
    }

    /** Takes a file that was found as it is now; the path is without symbolic links. */
    interface Taker {
        FileVersion take(Path path) throws IOException;
    }

    Found find(String pathInfo, Taker taker) throws IOException {
        PathName name = PathName.parse(pathInfo);
        if (name == null) {
            return new Found.Nothing();
        }
        try {
            return find(name, taker);
        } catch (InvalidPathException e) {
            // The name has characters that this system's names cannot have.
            return new Found.Nothing();
        }
    }

    private Found find(PathName name, Taker taker) throws IOException {
        Path real = real(String.join("/", name.segments()));
        if (real == null) {
            return new Found.Nothing();
        }
        BasicFileAttributes attributes = attributes(real);
        if (attributes == null) {
            return new Found.Nothing();
        }
        if (attributes.isRegularFile()) {
            return name.folder() ? new Found.Nothing() : file(name.last(), real, taker);
        }
        if (!attributes.isDirectory()) {
            return new Found.Nothing();
        }
        if (name.folder() && !rules.index().isEmpty()) {
            List<String> inside = new ArrayList<>(name.segments());
            inside.add(rules.index());
            Path index = real(String.join("/", inside));
            if (index != null && Files.isRegularFile(index)) {
                return file(rules.index(), index, taker);
            }
        }
        return folder(name, real);
    }

    /** Returns the path without links, or null when it may not be seen. */
    private @Nullable Path real(String relative) throws IOException {
        Path asked = root.resolve(relative);
        try {
            Path real = asked.toRealPath();
            if (!real.startsWith(root) || (!rules.symlinks() && !real.equals(asked))) {
                return null;
            }
            for (Path part : root.relativize(real)) {
                if (part.toString().startsWith(".")) {
                    return null;
                }
            }
            return real;
        } catch (IOException e) {
            // It is not there, cannot be reached, or its links go round in circles.
            return null;
        }
    }

    /** Returns what the system says of a path, or null when nothing is there any more. */
    private static @Nullable BasicFileAttributes attributes(Path real) throws IOException {
        try {
            return Files.readAttributes(real, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            // It was removed since the path was made.
            return null;
        }
    }

    private Found file(String name, Path real, Taker taker) throws IOException {
        FileVersion plain = taker.take(real);
        Map<String, FileVersion> coded = new HashMap<>();
        for (String suffix : rules.suffixes()) {
            Path beside = real.resolveSibling(real.getFileName() + suffix);
            // One that is older than the file is not a coding of what is in it now.
            if (isFileSince(beside, plain.modified())) {
                takeCoded(beside, suffix, taker, coded);
            }
        }
        coded.values().removeIf(version -> version.modified().isBefore(plain.modified()));
        return new Found.File(name, plain, coded);
    }

    private static boolean isFileSince(Path path, Instant modified) {
        try {
            return !FileState.at(path).modified().isBefore(modified);
        } catch (IOException e) {
            // There is none.
            return false;
        }
    }

    private static void takeCoded(
            Path path, String suffix, Taker taker, Map<String, FileVersion> coded)
            throws IOException {
        try {
            coded.put(suffix, taker.take(path));
        } catch (ReplacedException e) {
            // It is just being made: the file itself serves.
        }
    }

    private Found folder(PathName name, Path real) throws IOException {
        List<Found.Entry> entries = new ArrayList<>();
        boolean whole = true;
        if (rules.listing() && name.folder()) {
            String prefix = String.join("/", name.segments());
            try (DirectoryStream<Path> inside = Files.newDirectoryStream(real)) {
                for (Path one : inside) {
                    add(entries, prefix, one);
                    if (entries.size() > MOST_ENTRIES) {
                        entries.removeLast();
                        whole = false;
                        break;
                    }
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            } catch (NoSuchFileException | NotDirectoryException e) {
                throw new ReplacedException("the folder has gone");
            }
        }
        return new Found.Folder(name.last(), entries, whole, rules.listing());
    }

    private void add(List<Found.Entry> entries, String prefix, Path one) throws IOException {
        String name = String.valueOf(one.getFileName());
        if (!PathName.isVisible(name)) {
            return;
        }
        Path real = real(prefix.isEmpty() ? name : prefix + "/" + name);
        if (real == null) {
            return;
        }
        BasicFileAttributes found = attributes(real);
        if (found != null && (found.isDirectory() || found.isRegularFile())) {
            entries.add(
                    new Found.Entry(
                            name,
                            found.isDirectory(),
                            found.isDirectory() ? 0 : found.size(),
                            found.lastModifiedTime().toInstant()));
        }
    }
}
