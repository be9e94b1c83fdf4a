package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.PrivateFile;
import org.lrwp.files.UnsafeFileException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A file that decides who may do what: it belongs to the user that the proxy runs as, or to root,
 * and nobody else may change it, or put another file in its place.
 *
 * @param file its path
 */
record OwnFile(Path file) {
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /** Checks owner and mode; a file system without them is not asked. */
    void check(Consumer<String> faults) {
        String owner = ownerFault();
        if (owner != null) {
            faults.accept(owner);
        }
        try {
            PosixFileAttributes attributes = attributes();
            if (attributes != null
                    && !Collections.disjoint(attributes.permissions(), OTHERS_WRITE)) {
                faults.accept("others than its owner may change " + file + "; set its mode to 644");
            }
            PrivateFile.checkFolder(file);
        } catch (UnsafeFileException e) {
            faults.accept(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            faults.accept("file " + file + " cannot be read");
        }
    }

    /** Says why its owner is wrong; null when it is not, or when there is no file. */
    @Nullable String ownerFault() {
        try {
            PosixFileAttributes attributes = attributes();
            if (attributes == null) {
                return null;
            }
            String owner = attributes.owner().getName();
            String user = System.getProperty("user.name", "");
            return owner.equals(user) || owner.equals("root")
                    ? null
                    : file + " belongs to " + owner + ", not to " + user + " or root";
        } catch (IOException e) {
            // Whoever reads it says so.
            return null;
        }
    }

    private @Nullable PosixFileAttributes attributes() throws IOException {
        var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        return view == null ? null : view.readAttributes();
    }
}
