package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Whom the files of a proxy belong to. Root may make a further one for the user that the proxy runs
 * as, who could not read it with mode 600.
 *
 * @param file the one that says it, with what was found there; null when all are root's
 */
record ProxyOwner(@Nullable PosixFileAttributes file) {
    private static final String ROOT = "root";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./-]+");

    /** Looks at files before new ones are made: the first that is not root's says it. */
    static ProxyOwner of(List<Path> files) throws IOException {
        for (Path file : files) {
            PosixFileAttributes found = attributes(file);
            if (found != null && !found.owner().getName().equals(ROOT)) {
                return new ProxyOwner(found);
            }
        }
        return new ProxyOwner(null);
    }

    /** Gives files to that user; returns a line with what is left to be done, or nothing. */
    String give(List<Path> made) throws IOException {
        List<Path> left = made.stream().filter(one -> !isGiven(one)).toList();
        if (left.isEmpty()) {
            return "";
        }
        String all = left.stream().map(ProxyOwner::quoted).collect(Collectors.joining(" "));
        return file == null
                ? ("The files   are root's, and no proxy of another user can read them. For the"
                                + " user of the packages: chown lrwp %s\n")
                        .formatted(all)
                : "The files   must belong to the user of the proxy: chown %s:%s %s\n"
                        .formatted(file.owner().getName(), file.group().getName(), all);
    }

    /** As a shell takes it for one word. */
    private static String quoted(Path file) {
        String path = file.toString();
        return PLAIN.matcher(path).matches() ? path : "'" + path.replace("'", "'\\''") + "'";
    }

    private boolean isGiven(Path made) {
        try {
            PosixFileAttributes found = attributes(made);
            if (found == null || file == null) {
                return found == null || !found.owner().getName().equals(ROOT);
            }
            if (!found.owner().equals(file.owner())) {
                Files.getFileAttributeView(made, PosixFileAttributeView.class)
                        .setGroup(file.group());
                Files.setOwner(made, file.owner());
            }
            return true;
        } catch (IOException e) {
            // Only root may give files away.
            return false;
        }
    }

    /** Null for a file that is not there, or has no owner. */
    private static @Nullable PosixFileAttributes attributes(Path file) throws IOException {
        var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        return view == null || !Files.exists(file) ? null : view.readAttributes();
    }
}
