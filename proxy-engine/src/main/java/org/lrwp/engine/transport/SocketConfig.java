package org.lrwp.engine.transport;

import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;

/**
 * A Unix domain socket where peers of this host dial in.
 *
 * @param path where its file is made; a socket that a dead program of the same user has left there
 *     is replaced
 * @param mode who may connect: those who may write the file
 * @param group of the file; empty = the one that it gets by itself
 */
public record SocketConfig(Path path, Set<PosixFilePermission> mode, String group) {
    /** Copies the mode. */
    public SocketConfig {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(group, "group");
        mode = Set.copyOf(mode);
    }
}
