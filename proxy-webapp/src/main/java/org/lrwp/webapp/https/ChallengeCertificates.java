package org.lrwp.webapp.https;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.tls.OwnCertificate;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Certificates that a certificate authority asks for, to see who answers for a name: RFC 8737
 * section 3. The ACME module puts them into a folder, one file for each name. Any thread; looks at
 * the disk, and only for names that the module could have asked for.
 */
final class ChallengeCertificates {
    /** What an authority's client offers instead of HTTP. */
    static final String PROTOCOL = "acme-tls/1";

    private static final System.Logger LOG =
            System.getLogger(ChallengeCertificates.class.getName());
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?");

    private final @Nullable Path folder;

    /**
     * Creates it.
     *
     * @param folder where the module puts them; null for none
     */
    ChallengeCertificates(@Nullable Path folder) {
        this.folder = folder;
    }

    /**
     * Looks for the certificate of a name.
     *
     * @param name as the client has sent it; null for none
     * @return null when nobody waits for one
     */
    @Nullable OwnCertificate of(@Nullable String name) {
        if (folder == null || name == null) {
            return null;
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if (!NAME.matcher(lower).matches() || lower.contains("..")) {
            return null;
        }
        Path file = folder.resolve(lower + ".pem");
        if (!Files.isRegularFile(file)) {
            return null;
        }
        try {
            return OwnCertificate.read(file, file);
        } catch (NoSuchFileException gone) {
            return null;
        } catch (IOException e) {
            LOG.log(Level.WARNING, "https-challenge-refused reason=\"{0}\"", e.getMessage());
            return null;
        }
    }
}
