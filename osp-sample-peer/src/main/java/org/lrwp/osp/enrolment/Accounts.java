package org.lrwp.osp.enrolment;

import org.lrwp.runtime.operation.SecretFile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;

/**
 * Who may enrol: a file of lines {@code customer device user password}, read at each request, so
 * that an account can be added or taken away at any time. While others than its owner may touch it,
 * nobody enrols.
 */
public final class Accounts {
    private final Path file;

    /**
     * Creates the accounts.
     *
     * @param file the file
     */
    public Accounts(Path file) {
        this.file = file;
    }

    /** Whether there is such an account with this password. */
    boolean know(EnrolmentForm form) throws EnrolmentException {
        String shown =
                String.join(
                        " ",
                        form.value("customer"),
                        form.value("device"),
                        form.value("username"),
                        form.value("password"));
        List<String> lines;
        try {
            if (!SecretFile.isPrivate(file)) {
                throw new EnrolmentException(
                        "others than its owner may use " + file + "; set its mode to 600");
            }
            lines = Files.readAllLines(file);
        } catch (IOException unreadable) {
            throw new EnrolmentException(file + " cannot be read");
        }
        boolean known = false;
        for (String line : lines) {
            String account = String.join(" ", line.strip().split("\\s+", -1));
            // All lines are compared, each in the same time: how long it takes tells nothing.
            known |= MessageDigest.isEqual(bytes(account), bytes(shown));
        }
        return known;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
