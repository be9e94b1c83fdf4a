package org.lrwp.runtime;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.operation.SecretFile;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Where a secret comes from: a file that only its owner may touch, else the environment. */
final class SecretSource {
    /** The environment variable. */
    static final String VARIABLE = "LRWP_SECRET";

    private SecretSource() {}

    /** Returns the secret, or null when there is none. */
    static byte @Nullable [] read(@Nullable Path file, Map<String, String> environment)
            throws BadOptionException {
        if (file != null) {
            try {
                return SecretFile.read("--secret-file", file);
            } catch (BadConfigurationException e) {
                throw new BadOptionException(String.valueOf(e.getMessage()));
            }
        }
        String variable = environment.getOrDefault(VARIABLE, "");
        return variable.isEmpty() ? null : variable.getBytes(StandardCharsets.UTF_8);
    }
}
