package org.lrwp.webapp.https;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.ChangeDetector;
import org.lrwp.files.FileStamp;
import org.lrwp.sdk.tls.OwnCertificate;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * The certificate of the HTTPS port, read again when its files change. Files that are being
 * replaced do not fit together for a moment: the certificate that was read last stays until they
 * do. Any thread may ask for it.
 */
final class CertificateFiles {
    private static final System.Logger LOG = System.getLogger(CertificateFiles.class.getName());

    private final Path certificate;
    private final Path key;
    private final InstantSource clock;
    private final ChangeDetector<List<FileStamp>> files;
    private volatile @Nullable OwnCertificate present;

    /**
     * Creates it without a certificate.
     *
     * @param certificate PEM file of the chain
     * @param key PEM file of the key
     * @param clock says whether a certificate has ended
     */
    CertificateFiles(Path certificate, Path key, InstantSource clock) {
        this.certificate = certificate;
        this.key = key;
        this.clock = clock;
        this.files = new ChangeDetector<>(() -> FileStamp.of(certificate, key));
    }

    /** The certificate with its key; null while there is none. */
    @Nullable OwnCertificate present() {
        return present;
    }

    /**
     * Reads the files.
     *
     * @throws NoSuchFileException when one is missing
     * @throws IOException when they cannot be used
     */
    void load() throws IOException {
        files.reset();
        use(OwnCertificate.read(certificate, key));
    }

    /**
     * Reads the files when they are others than those read, and have settled; again at each look
     * while they cannot be used. One thread.
     */
    void look() {
        if (!files.hasChanged()) {
            return;
        }
        try {
            use(OwnCertificate.read(certificate, key));
        } catch (NoSuchFileException missing) {
            if (files.failed(missing.toString())) {
                LOG.log(Level.WARNING, "https-certificate-missing file={0}", missing.getFile());
            }
        } catch (IOException e) {
            if (files.failed(e.toString())) {
                LOG.log(Level.WARNING, "https-certificate-refused reason=\"{0}\"", e.getMessage());
            }
        } catch (RuntimeException e) {
            // One more look must follow, whatever this one met.
            if (files.failed(e.toString())) {
                LOG.log(Level.ERROR, "https-certificate-failed", e);
            }
        }
    }

    private void use(OwnCertificate next) {
        present = next;
        X509Certificate own = next.chain().getFirst();
        Instant until = own.getNotAfter().toInstant();
        boolean ended = until.isBefore(clock.instant());
        LOG.log(
                ended ? Level.WARNING : Level.INFO,
                "{0} subject=\"{1}\" until={2}",
                ended ? "https-certificate-expired" : "https-certificate-read",
                own.getSubjectX500Principal().getName(),
                until);
    }
}
