package org.lrwp.webapp.https;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.tls.TrustedContext;
import org.lrwp.files.ChangeDetector;
import org.lrwp.files.FileFault;
import org.lrwp.files.FileStamp;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;

/**
 * Whose certificates count when clients of the HTTPS port show them, read again when the files
 * change; what was read last stays while they cannot be used. Any thread may ask for it.
 */
final class ClientTrust {
    private static final System.Logger LOG = System.getLogger(ClientTrust.class.getName());

    private final KeyManager own;
    private final @Nullable Path trust;
    private final @Nullable Path revoked;
    private final List<Path> named;
    private final ChangeDetector<List<FileStamp>> files;
    private volatile TrustedContext current;

    /**
     * Reads the files.
     *
     * @param own says which certificate a client is shown
     * @param trust PEM file of the authorities; null = nobody's certificates count
     * @param revoked PEM file of their lists of revoked certificates; null = nobody is revoked
     * @throws IOException when one of them cannot be used
     * @throws GeneralSecurityException when the JVM cannot use what they hold
     */
    ClientTrust(KeyManager own, @Nullable Path trust, @Nullable Path revoked)
            throws IOException, GeneralSecurityException {
        this.own = own;
        this.trust = trust;
        this.revoked = revoked;
        named = Stream.of(trust, revoked).filter(Objects::nonNull).toList();
        // Before the files are read: what changes meanwhile is seen at the next look.
        files = new ChangeDetector<>(() -> named.stream().map(FileStamp::of).toList());
        current = read();
    }

    /** For connections that begin now. */
    TrustedContext current() {
        return current;
    }

    private TrustedContext read() throws IOException, GeneralSecurityException {
        return TrustedContext.read(new KeyManager[] {own}, trust, revoked);
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
            current = read();
            LOG.log(Level.INFO, "https-trust-read files=\"{0}\"", named);
        } catch (IOException e) {
            refuse(FileFault.of(e));
        } catch (GeneralSecurityException | RuntimeException e) {
            // One more look must follow, whatever this one met.
            refuse(e.toString());
        }
    }

    private void refuse(String reason) {
        if (files.failed(reason)) {
            LOG.log(Level.WARNING, "https-trust-refused reason=\"{0}\"", reason);
        }
    }
}
