package org.lrwp.webapp.config;

import org.lrwp.files.FileFault;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Values;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The file that a key names, whose faults are told as those of the key's value. */
final class NamedFile {
    /** Reads a file. */
    @FunctionalInterface
    interface Reading {
        /**
         * Reads it, and keeps nothing.
         *
         * @throws IOException when it cannot be used
         */
        void read(Path file) throws IOException;
    }

    private NamedFile() {}

    /**
     * Looks whether it can be read. Blocks on the disk.
     *
     * @throws BadConfigurationException when it cannot; names key, value and place
     */
    static void check(Values values, Key<String> key) throws BadConfigurationException {
        check(values, key, NamedFile::begin);
    }

    /**
     * Reads it; an empty value names none. Blocks on the disk.
     *
     * @throws BadConfigurationException when it cannot be used; names key, value and place
     */
    static void check(Values values, Key<String> key, Reading reading)
            throws BadConfigurationException {
        String file = values.get(key);
        if (file.isEmpty()) {
            return;
        }
        try {
            reading.read(Path.of(file));
        } catch (IOException e) {
            String reason = FileFault.reason(e);
            String head = file + ": ";
            boolean missing = e instanceof NoSuchFileException;
            throw new BadConfigurationException(
                    "%s = %s (%s): %s%s"
                            .formatted(
                                    key.name(),
                                    file,
                                    values.origin(key.name()),
                                    missing ? "" : "cannot be read: ",
                                    reason.startsWith(head)
                                            ? reason.substring(head.length())
                                            : reason));
        }
    }

    /** A folder can be opened too, but not read. */
    private static void begin(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            var _ = in.read();
        }
    }
}
