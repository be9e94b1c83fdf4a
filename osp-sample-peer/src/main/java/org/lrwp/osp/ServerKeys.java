package org.lrwp.osp;

import org.bouncycastle.cert.X509CertificateHolder;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.token.IdentityException;
import org.lrwp.osp.token.IdentityFiles;
import org.lrwp.osp.token.IdentityGenerator;
import org.lrwp.osp.token.IdentitySource;
import org.lrwp.osp.token.KeyRing;
import org.lrwp.osp.token.Keys;
import org.lrwp.runtime.BadOptionException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The key of the server: named by options, or by the configuration, or kept in the data folder and
 * made there at the first start.
 *
 * @param keys the ring to begin with
 * @param source the files it came from
 */
record ServerKeys(Keys keys, IdentitySource source) {
    /** The folder inside the data folder. */
    static final String FOLDER = "keys";

    static ServerKeys load(Path data, OspConfiguration.KeyFiles files, Consumer<String> log)
            throws BadOptionException {
        try {
            IdentitySource source = source(data, files, log);
            List<X509CertificateHolder> others =
                    files.verify().isPresent()
                            ? IdentityFiles.readCertificates(files.verify().get())
                            : List.of();
            return new ServerKeys(new Keys(KeyRing.of(source.read(), others)), source);
        } catch (IdentityException unfit) {
            throw new BadOptionException(String.valueOf(unfit.getMessage()));
        }
    }

    private static IdentitySource source(
            Path data, OspConfiguration.KeyFiles files, Consumer<String> log)
            throws BadOptionException, IdentityException {
        if (files.key().isPresent() && files.certificate().isPresent()) {
            return new IdentitySource.Pem(files.key().get(), files.certificate().get());
        }
        if (files.key().isPresent() || files.certificate().isPresent()) {
            throw new BadOptionException("--key and --certificate go together");
        }
        if (files.pkcs12().isPresent()) {
            return new IdentitySource.Pkcs12(
                    files.pkcs12().get(), password(files.pkcs12Password()));
        }
        Path folder = data.resolve(FOLDER);
        if (!Files.exists(folder.resolve(IdentityFiles.KEY_FILE))) {
            IdentityFiles.write(
                    new IdentityGenerator(InstantSource.system()).generate(files.generated()),
                    folder);
            log.accept("keys-generated folder=" + folder);
        }
        return stored(folder);
    }

    static IdentitySource stored(Path folder) {
        return new IdentitySource.Pem(
                folder.resolve(IdentityFiles.KEY_FILE),
                folder.resolve(IdentityFiles.CERTIFICATE_FILE));
    }

    private static String password(Optional<Path> file) throws BadOptionException {
        if (file.isEmpty()) {
            return "";
        }
        try {
            return Files.readString(file.get()).strip();
        } catch (IOException unreadable) {
            throw new BadOptionException(
                    "token.pkcs12-password-file: " + file.get() + " cannot be read");
        }
    }
}
