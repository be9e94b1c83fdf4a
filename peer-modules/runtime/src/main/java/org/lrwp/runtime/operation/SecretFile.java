package org.lrwp.runtime.operation;

import org.lrwp.runtime.configuration.BadConfigurationException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Set;

/** A file with a secret, that only its owner may touch. */
public final class SecretFile {
    private static final int MAX_SIZE = 1024;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private SecretFile() {}

    /**
     * Reads a secret; blocks on the disk.
     *
     * @param option who names the file, for faults: {@code --secret-file}
     * @param file the file
     * @return 1 to 1024 bytes, without line end
     * @throws BadConfigurationException when it cannot be read, is empty or too long, or others may
     *     touch it
     */
    public static byte[] read(String option, Path file) throws BadConfigurationException {
        try {
            checkMode(option, file);
            return withoutLineEnd(option, file, firstBytes(option, file));
        } catch (NoSuchFileException e) {
            throw new BadConfigurationException(option + ": " + file + " does not exist");
        } catch (IOException e) {
            throw new BadConfigurationException(option + ": " + file + " cannot be read");
        }
    }

    /**
     * Says whether only its owner may touch a file.
     *
     * @param file a file that is there
     * @return true too where files have no modes
     * @throws IOException when it cannot be looked at
     */
    public static boolean isPrivate(Path file) throws IOException {
        var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        return view == null || OWNER_ONLY.containsAll(view.readAttributes().permissions());
    }

    private static void checkMode(String option, Path file)
            throws IOException, BadConfigurationException {
        if (!isPrivate(file)) {
            throw new BadConfigurationException(
                    option + ": others than its owner may use " + file + "; set its mode to 600");
        }
    }

    private static byte[] firstBytes(String option, Path file)
            throws IOException, BadConfigurationException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_SIZE + 1);
            if (bytes.length > MAX_SIZE) {
                throw new BadConfigurationException(
                        option + ": " + file + " is longer than " + MAX_SIZE + " bytes");
            }
            return bytes;
        }
    }

    private static byte[] withoutLineEnd(String option, Path file, byte[] bytes)
            throws BadConfigurationException {
        int length = bytes.length;
        while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r')) {
            length--;
        }
        if (length == 0) {
            throw new BadConfigurationException(option + ": " + file + " is empty");
        }
        return Arrays.copyOf(bytes, length);
    }
}
