package org.lrwp.webapp.config;

import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.util.List;

/** Keys that say where bodies wait. */
final class SpoolKeys {
    private static final KeyTable TABLE = new KeyTable();
    private static final long GIB = 1L << 30;

    static final Key<String> FOLDER =
            TABLE.key("spool.folder", ValueTypes.TEXT, "")
                    .atStart(
                            "Where temporary files are made; empty = the JVM's folder for them."
                                    + " Missing or not writable: the proxy does not start.");

    static final Key<Long> MEMORY_PER_BODY =
            TABLE.key("spool.memory-per-body", ValueTypes.size(0, GIB), "64KiB")
                    .atStart("Bytes of one body kept in memory; the rest goes to a file.");

    static final Key<Long> MEMORY_TOTAL =
            TABLE.key("spool.memory-total", ValueTypes.size(0, 1024 * GIB), "128MiB")
                    .atStart(
                            "Bytes of all bodies kept in memory; above it they go to files at"
                                    + " once.");

    static final Key<Long> DISK_TOTAL =
            TABLE.key("spool.disk-total", ValueTypes.size(0, 1024 * 1024 * GIB), "10GiB")
                    .atStart(
                            "Bytes of all temporary files; above it requests get 503 and answers"
                                    + " wait with their peers.");

    static final Key<Long> ANSWER_LIMIT =
            TABLE.key("spool.answer-limit", ValueTypes.size(1, 1024 * GIB), "1GiB")
                    .atStart(
                            "Bytes of one answer that wait for a slow client; above it its peer"
                                    + " waits.");

    private SpoolKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
