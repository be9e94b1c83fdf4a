package org.lrwp.server.doctor;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Whether what the proxy writes has a place.
 *
 * @param temporary folder of temporary files where the configuration names none
 */
record Folders(Path temporary) implements Examination {
    private static final String AREA = "files";
    private static final long LEAST_FREE = 100L << 20;
    private static final long MIB = 1 << 20;

    @Override
    public void look(Settings settings, Consumer<Finding> findings) {
        Path spool = settings.path("spool.folder");
        folder(
                "spool.folder",
                spool == null ? temporary : spool,
                settings.number("spool.disk-total"),
                findings);
        parent("access-log.file", settings, LEAST_FREE, findings);
        parent("slow-log.file", settings, LEAST_FREE, findings);
        parent("audit-log.file", settings, LEAST_FREE, findings);
        parent("cache.file", settings, settings.number("cache.size"), findings);
    }

    private static void parent(
            String key, Settings settings, long wanted, Consumer<Finding> findings) {
        Path file = settings.path(key);
        Path folder = file == null ? null : file.getParent();
        if (folder != null) {
            folder(key, folder, wanted, findings);
        }
    }

    private static void folder(
            String key, @Nullable Path folder, long wanted, Consumer<Finding> findings) {
        if (folder == null || !Files.isDirectory(folder)) {
            findings.accept(Finding.fault(AREA, key + ": the folder " + folder + " is not there"));
        } else if (!Files.isWritable(folder)) {
            findings.accept(
                    Finding.fault(
                            AREA,
                            "%s: %s cannot be written by %s"
                                    .formatted(key, folder, System.getProperty("user.name"))));
        } else {
            room(key, folder, wanted, findings);
        }
    }

    private static void room(String key, Path folder, long wanted, Consumer<Finding> findings) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            String there = "%s: %s has %d MiB free".formatted(key, folder, free / MIB);
            findings.accept(
                    free < wanted
                            ? Finding.advice(
                                    AREA, there + ", up to " + wanted / MIB + " MiB may be written")
                            : Finding.ok(AREA, there));
        } catch (IOException e) {
            findings.accept(Finding.advice(AREA, key + ": free space of " + folder + ": " + e));
        }
    }
}
