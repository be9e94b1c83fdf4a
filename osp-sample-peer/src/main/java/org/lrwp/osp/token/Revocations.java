package org.lrwp.osp.token;

import org.bouncycastle.cert.X509CertificateHolder;
import org.lrwp.files.ChangeDetector;
import org.lrwp.files.FileStamp;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Certificates that do not count any more: a file with the serial number of one in each line, in
 * hexadecimal digits as {@code openssl x509 -serial} prints them; {@code #} begins a comment. The
 * file is read again when it has changed. A file that cannot be used changes nothing but the log,
 * so that nobody comes back by a slip of the pen. Any thread may ask; one looks.
 */
public final class Revocations {
    /** The most lines of a list; a longer one cannot be used. */
    private static final int MOST = 100_000;

    private static final Pattern SERIAL =
            Pattern.compile("(?:serial=)?([0-9a-f]{1,40})", Pattern.CASE_INSENSITIVE);
    private static final int HEXADECIMAL = 16;

    private final Optional<Path> file;
    private final Consumer<String> log;
    private final AtomicReference<Set<BigInteger>> serials;
    private final ChangeDetector<Optional<FileStamp>> changes;

    private Revocations(Optional<Path> file, Set<BigInteger> first, Consumer<String> log) {
        this.file = file;
        this.log = log;
        this.serials = new AtomicReference<>(first);
        this.changes = new ChangeDetector<>(() -> file.map(FileStamp::of));
    }

    /**
     * Reads the list for the first time; blocks on the disk.
     *
     * @param file the file; empty: no certificate is revoked
     * @param log takes a line for each change and each fault
     * @return the list
     * @throws IdentityException when it cannot be read, or a line is no serial number; the message
     *     names the file
     */
    public static Revocations of(Optional<Path> file, Consumer<String> log)
            throws IdentityException {
        return new Revocations(file, file.isPresent() ? list(file.get()) : Set.of(), log);
    }

    /**
     * Tells whether a certificate counts no more.
     *
     * @param certificate the certificate
     * @return whether its serial number is on the list, whoever issued it
     */
    public boolean has(X509CertificateHolder certificate) {
        return serials.get().contains(certificate.getSerialNumber());
    }

    /** Reads the file again when it has changed and nobody has written since the last look. */
    public void look() {
        if (!changes.hasChanged() || file.isEmpty()) {
            return;
        }
        try {
            Set<BigInteger> next = list(file.get());
            serials.set(next);
            log.accept("revocations-read certificates=" + next.size());
        } catch (IdentityException unfit) {
            if (changes.failed(String.valueOf(unfit.getMessage()))) {
                log.accept("revocations-kept reason=\"" + unfit.getMessage() + "\"");
            }
        }
    }

    private static Set<BigInteger> list(Path file) throws IdentityException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException unreadable) {
            throw new IdentityException(file + " cannot be read", unreadable);
        }
        if (lines.size() > MOST) {
            throw new IdentityException(file + " has more than " + MOST + " lines");
        }
        Set<BigInteger> serials = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i).replaceFirst("#.*", "").replace(":", "").strip();
            var serial = SERIAL.matcher(text.toLowerCase(Locale.ROOT));
            if (serial.matches()) {
                serials.add(new BigInteger(serial.group(1), HEXADECIMAL));
            } else if (!text.isEmpty()) {
                throw new IdentityException(
                        file + ":" + (i + 1) + ": '" + text + "' is no serial number");
            }
        }
        return Set.copyOf(serials);
    }
}
