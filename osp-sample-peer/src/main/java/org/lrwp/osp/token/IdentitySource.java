package org.lrwp.osp.token;

import java.nio.file.Path;
import java.util.List;

/** Files an identity comes from, read again when they have changed. */
public sealed interface IdentitySource {
    /**
     * Reads the identity.
     *
     * @return the identity
     * @throws IdentityException when it cannot be used; the message names the file
     */
    SigningIdentity read() throws IdentityException;

    /**
     * Returns the files.
     *
     * @return one or two
     */
    List<Path> files();

    /**
     * A key and its certificate in PEM.
     *
     * @param key the key's file
     * @param certificate the certificate's file
     */
    record Pem(Path key, Path certificate) implements IdentitySource {
        @Override
        public SigningIdentity read() throws IdentityException {
            return IdentityFiles.read(key, certificate);
        }

        @Override
        public List<Path> files() {
            return List.of(key, certificate);
        }
    }

    /**
     * A PKCS #12 file.
     *
     * @param file the file
     * @param password its password
     */
    record Pkcs12(Path file, String password) implements IdentitySource {
        @Override
        public SigningIdentity read() throws IdentityException {
            return IdentityFiles.readPkcs12(file, password);
        }

        @Override
        public List<Path> files() {
            return List.of(file);
        }

        @Override
        public String toString() {
            return "Pkcs12[" + file + "]";
        }
    }
}
