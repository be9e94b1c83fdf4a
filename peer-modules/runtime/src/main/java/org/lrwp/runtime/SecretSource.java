package org.lrwp.runtime;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** Where a secret comes from: a file that only its owner may touch, else the environment. */
final class SecretSource {
    private static final int MAX_SIZE = 1024;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private SecretSource() {}

    /** Returns the secret, or null when there is none. */
    static byte @Nullable [] read(@Nullable Path file, Map<String, String> environment)
            throws BadOptionException {
        if (file != null) {
            return fromFile(file);
        }
        String variable = environment.getOrDefault(PeerOptions.SECRET_VARIABLE, "");
        return variable.isEmpty() ? null : variable.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] fromFile(Path file) throws BadOptionException {
        try {
            checkMode(file);
            return withoutLineEnd(file, firstOctets(file));
        } catch (NoSuchFileException e) {
            throw new BadOptionException("--secret-file: " + file + " does not exist");
        } catch (IOException e) {
            throw new BadOptionException("--secret-file: " + file + " cannot be read");
        }
    }

    private static void checkMode(Path file) throws IOException, BadOptionException {
        var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view != null && !OWNER_ONLY.containsAll(view.readAttributes().permissions())) {
            throw new BadOptionException(
                    "--secret-file: others than its owner may use "
                            + file
                            + "; set its mode to 600");
        }
    }

    private static byte[] firstOctets(Path file) throws IOException, BadOptionException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] octets = in.readNBytes(MAX_SIZE + 1);
            if (octets.length > MAX_SIZE) {
                throw new BadOptionException(
                        "--secret-file: " + file + " is longer than " + MAX_SIZE + " octets");
            }
            return octets;
        }
    }

    private static byte[] withoutLineEnd(Path file, byte[] octets) throws BadOptionException {
        int length = octets.length;
        while (length > 0 && (octets[length - 1] == '\n' || octets[length - 1] == '\r')) {
            length--;
        }
        if (length == 0) {
            throw new BadOptionException("--secret-file: " + file + " is empty");
        }
        return Arrays.copyOf(octets, length);
    }
}
