package org.lrwp.webapp.https;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/** Certificates and keys made by the JDK's keytool, as PEM files. */
public final class PemFolder {
    private static final String PASSWORD = "changeit";
    private final Path folder;

    /**
     * Creates it.
     *
     * @param folder where the files are
     */
    public PemFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * A key and its self-signed certificate.
     *
     * @param certificate in PEM form
     * @param key in PEM form
     */
    public record Pair(String certificate, String key) {}

    /**
     * Makes a pair.
     *
     * @param name for which the certificate is
     * @param algorithm as keytool names it: EC or RSA
     * @return the pair
     * @throws IOException when keytool fails
     * @throws GeneralSecurityException when its file cannot be read
     */
    public Pair make(String name, String algorithm) throws IOException, GeneralSecurityException {
        Path store = folder.resolve(name + "-" + algorithm + ".p12");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        String line =
                "-genkeypair -alias a -keyalg %s -dname CN=%s -ext SAN=DNS:%s -validity 2 -storetype PKCS12 -storepass %s -keystore %s"
                        .formatted(algorithm, name, name, PASSWORD, store);
        command.addAll(List.of(line.split(" ", -1)));
        try {
            Process keytool = new ProcessBuilder(command).inheritIO().start();
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool ended with " + keytool.exitValue());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Certificate certificate = Objects.requireNonNull(keys.getCertificate("a"));
        byte[] key = Objects.requireNonNull(keys.getKey("a", PASSWORD.toCharArray())).getEncoded();
        return new Pair(pem("CERTIFICATE", certificate.getEncoded()), pem("PRIVATE KEY", key));
    }

    static String pem(String kind, byte[] bytes) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(kind, Base64.getMimeEncoder().encodeToString(bytes), kind);
    }

    /**
     * Writes a file that only its owner may read.
     *
     * @param name within the folder
     * @param text what is in it
     * @return the file
     * @throws IOException when it cannot be written
     */
    public Path write(String name, String text) throws IOException {
        return write(name, text, "rw-------");
    }

    Path write(String name, String text, String modes) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(modes));
    }
}
