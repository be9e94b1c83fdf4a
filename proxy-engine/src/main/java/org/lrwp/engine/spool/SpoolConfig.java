package org.lrwp.engine.spool;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Where bodies wait and how much of them.
 *
 * @param folder where temporary files are made; must exist and be writable
 * @param memoryPerBody bytes of one body kept in memory, the rest goes to a file; 0 = all to files
 * @param memoryTotal bytes of all bodies kept in memory; above it bodies go to files at once
 * @param diskTotal bytes of all temporary files; above it requests get 503 and answers wait with
 *     their peers, each with at most 64 KiB above the limit
 * @param answerLimit bytes of one answer that wait for a slow client, memory and file together;
 *     above it the peer waits
 */
public record SpoolConfig(
        Path folder, long memoryPerBody, long memoryTotal, long diskTotal, long answerLimit) {
    /** Checks all values. */
    public SpoolConfig {
        Objects.requireNonNull(folder, "folder");
        requireNotNegative("memoryPerBody", memoryPerBody);
        requireNotNegative("memoryTotal", memoryTotal);
        requireNotNegative("diskTotal", diskTotal);
        if (answerLimit < 1) {
            throw new IllegalArgumentException("answerLimit " + answerLimit + " is below 1");
        }
    }

    private static void requireNotNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " " + value + " is negative");
        }
    }
}
