package org.lrwp.webapp.config;

import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;

/**
 * A Unix domain socket for peers of this host.
 *
 * @param path where its file is made
 * @param mode who may connect: those who may write the file
 */
public record SocketConfig(Path path, Set<PosixFilePermission> mode) {
    /** Copies the mode. */
    public SocketConfig {
        Objects.requireNonNull(path, "path");
        mode = Set.copyOf(mode);
    }
}
