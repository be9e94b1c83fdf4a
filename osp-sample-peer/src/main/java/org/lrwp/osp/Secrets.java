package org.lrwp.osp;

import org.lrwp.runtime.BadOptionException;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.operation.SecretFile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What only the owner of a file may know. */
final class Secrets {
    private Secrets() {}

    /** Reads a password; empty when no file is named. */
    static String password(String key, Optional<Path> file) throws BadOptionException {
        if (file.isEmpty()) {
            return "";
        }
        try {
            return new String(SecretFile.read(key, file.get()), StandardCharsets.UTF_8).strip();
        } catch (BadConfigurationException unfit) {
            throw new BadOptionException(String.valueOf(unfit.getMessage()));
        }
    }

    /** Requires that nobody else may touch a file; it may be missing as yet. */
    static void requirePrivate(String key, Path file) throws BadOptionException {
        try {
            if (!Files.exists(file) || SecretFile.isPrivate(file)) {
                return;
            }
        } catch (IOException unreadable) {
            throw new BadOptionException(key + ": " + file + " cannot be read");
        }
        throw new BadOptionException(
                key + ": others than its owner may use " + file + "; set its mode to 600");
    }
}
