package org.lrwp.server.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The limits of the control groups (cgroups) that this process is in, of version 2 and 1. A limit
 * of a group holds for all groups below it, so the least of them counts.
 *
 * @param proc the folder {@code /proc}
 * @param mount the folder {@code /sys/fs/cgroup}
 */
record ControlGroups(Path proc, Path mount) {
    private static final long UNLIMITED = Long.MAX_VALUE / 2;

    /** Bytes that the processes of the group may have; empty without a limit. */
    Optional<Long> memory() {
        return least("memory.max", "memory", "memory.limit_in_bytes");
    }

    /** Threads and processes that the group may have; empty without a limit. */
    Optional<Long> threads() {
        return least("pids.max", "pids", "pids.max");
    }

    private Optional<Long> least(String file, String controller, String oldFile) {
        Stream<Long> limits =
                Stream.concat(
                        upwards(mount, group("")).map(folder -> number(folder.resolve(file))),
                        upwards(mount.resolve(controller), group(controller))
                                .map(folder -> number(folder.resolve(oldFile))));
        return limits.filter(limit -> limit < UNLIMITED).min(Long::compare);
    }

    /** The folder of a group, then those above it. In a container its own group is the mount. */
    private static Stream<Path> upwards(Path top, String group) {
        List<Path> folders = new ArrayList<>();
        Path folder = top.resolve(group.substring(1)).normalize();
        while (folder != null && folder.startsWith(top)) {
            folders.add(folder);
            folder = folder.getParent();
        }
        return folders.isEmpty() ? Stream.of(top) : folders.stream();
    }

    /**
     * The group of this process: a line is {@code number:controllers:group}, version 2 has none.
     */
    private String group(String controller) {
        try {
            for (String line : Files.readAllLines(proc.resolve("self/cgroup"))) {
                String[] parts = line.split(":", 3);
                if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller)) {
                    return parts[2].startsWith("/") ? parts[2] : "/";
                }
            }
            return "/";
        } catch (IOException e) {
            return "/";
        }
    }

    private static long number(Path file) {
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException | NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
