package org.lrwp.acme;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.util.Set;

/**
 * The folder with everything that has to be kept. Only its owner may read what is in it; each file
 * is replaced by a rename, so nobody sees a part of one. Blocks on the disk; one thread at a time.
 *
 * <p>A new pair is written to {@code key.pem.new} and {@code certificate.pem.new}; then the key is
 * renamed, then the certificate. Should the process end between the two renames, the next one does
 * the second.
 */
final class CertificateFolder {
    private static final System.Logger LOG = System.getLogger(CertificateFolder.class.getName());
    private static final String CERTIFICATE = "certificate.pem";
    private static final String KEY = "key.pem";
    private static final String ACCOUNT = "account.pem";
    private static final String CHALLENGES = "challenges";
    private static final String PEM = ".pem";
    private static final String NEW = ".new";

    private final Path folder;
    private final Path challenges;

    private CertificateFolder(Path folder) {
        this.folder = folder;
        this.challenges = folder.resolve(CHALLENGES);
    }

    /** Opens a folder; what an earlier process has left unfinished is finished or removed. */
    static CertificateFolder open(Path folder) throws IOException {
        CertificateFolder opened = new CertificateFolder(folder);
        create(folder);
        create(opened.challenges);
        opened.tidy();
        return opened;
    }

    private static void create(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Path parent = folder.toAbsolutePath().getParent();
            Files.createDirectory(folder, mode(parent, "rwx------"));
        }
    }

    /** The mode of a new file or folder, where the file system has modes. */
    private static FileAttribute<?>[] mode(@Nullable Path parent, String mode) throws IOException {
        if (parent == null) {
            return new FileAttribute<?>[0];
        }
        FileStore store = Files.getFileStore(parent);
        return store.supportsFileAttributeView("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
                }
                : new FileAttribute<?>[0];
    }

    private void tidy() throws IOException {
        Path waiting = fresh(folder.resolve(CERTIFICATE));
        if (Files.exists(waiting) && !Files.exists(fresh(folder.resolve(KEY)))) {
            try {
                var _ = pair(waiting);
                replace(folder.resolve(CERTIFICATE));
            } catch (IOException e) {
                // Not the second half of a pair: what is there stays, and this goes.
                LOG.log(Level.DEBUG, "certificate-dropped file=" + waiting, e);
            }
        }
        Files.deleteIfExists(waiting);
        Files.deleteIfExists(fresh(folder.resolve(KEY)));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(challenges, "*.pem*")) {
            for (Path file : left) {
                Files.delete(file);
            }
        }
    }

    /** The pair that is there; null when there is none. */
    @Nullable CertifiedKey pair() throws IOException {
        Path certificate = folder.resolve(CERTIFICATE);
        return Files.exists(certificate) || Files.exists(folder.resolve(KEY))
                ? pair(certificate)
                : null;
    }

    private CertifiedKey pair(Path certificate) throws IOException {
        try {
            return new CertifiedKey(
                    Pem.privateKey(Files.readString(folder.resolve(KEY))),
                    Pem.certificates(Files.readString(certificate)));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Puts a pair in the place of the one that is there. */
    void install(CertifiedKey pair) throws IOException {
        write(folder.resolve(KEY), Pem.of(pair.key()));
        write(folder.resolve(CERTIFICATE), Pem.of(pair.chain()));
        replace(folder.resolve(KEY));
        replace(folder.resolve(CERTIFICATE));
    }

    /** The key of the account; made when there is none. */
    KeyPair account() throws IOException {
        Path file = folder.resolve(ACCOUNT);
        if (Files.exists(file)) {
            return Pem.keyPair(Files.readString(file));
        }
        KeyPair keys = CertifiedKey.newKeys();
        write(file, Pem.of(keys));
        replace(file);
        return keys;
    }

    /** Writes the certificate and key for the challenge of a name. */
    void addChallenge(String name, CertifiedKey pair) throws IOException {
        Path file = challenges.resolve(name + PEM);
        write(file, Pem.of(pair.chain()) + Pem.of(pair.key()));
        replace(file);
    }

    /** Removes it again, if it is there. */
    void removeChallenge(String name) throws IOException {
        Files.deleteIfExists(challenges.resolve(name + PEM));
    }

    private static Path fresh(Path file) {
        return file.resolveSibling(file.getFileName() + NEW);
    }

    private void write(Path file, String text) throws IOException {
        Path fresh = fresh(file);
        Files.deleteIfExists(fresh);
        try (FileChannel channel =
                FileChannel.open(
                        fresh,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        mode(folder, "rw-------"))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private static void replace(Path file) throws IOException {
        Files.move(
                fresh(file),
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }
}
