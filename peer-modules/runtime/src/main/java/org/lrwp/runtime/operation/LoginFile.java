package org.lrwp.runtime.operation;

import org.lrwp.runtime.configuration.BadConfigurationException;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A file with a user and a password, that only its owner may touch. */
public final class LoginFile {
    private LoginFile() {}

    /**
     * What proves who somebody is.
     *
     * @param user 1 or more characters, no colon
     * @param password any text
     */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return user;
        }
    }

    /**
     * Reads {@code USER:PASSWORD}; blocks on the disk.
     *
     * @param option who names the file, for faults
     * @param file the file
     * @return what it has
     * @throws BadConfigurationException when it is not such a text, or no file that {@link
     *     SecretFile} reads
     */
    public static Login read(String option, Path file) throws BadConfigurationException {
        String text = new String(SecretFile.read(option, file), StandardCharsets.UTF_8);
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new BadConfigurationException(option + ": " + file + " is not USER:PASSWORD");
        }
        return new Login(text.substring(0, colon), text.substring(colon + 1));
    }
}
