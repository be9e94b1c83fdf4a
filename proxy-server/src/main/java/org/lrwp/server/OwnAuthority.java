package org.lrwp.server;

import org.lrwp.files.PrivateFile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An authority of one's own that issues certificates for the proxy and its peers, by the JDK's
 * keytool. Its key is in a PKCS #12 file of mode 600; the password of that file is no secret, the
 * mode protects it. Blocks on the disk and on keytool.
 */
final class OwnAuthority {
    /** How long a certificate is valid when nobody says it. */
    static final int DAYS = 365;

    private static final int MOST_DAYS = 3650;
    private static final String ALIAS = "ca";
    private static final String PASSWORD = "changeit";
    private static final int AUTHORITY_DAYS = 3650;
    private static final int TOOL_SECONDS = 60;
    private static final int PEM_LINE = 64;

    /** Kinds of alternative names, RFC 5280 section 4.2.1.6. */
    private static final Integer DNS = 2;

    private static final Integer ADDRESS = 7;

    private final Path store;
    private final Path certificate;

    private OwnAuthority(Path folder) {
        this.store = folder.resolve("ca.p12");
        this.certificate = folder.resolve("ca.pem");
    }

    /** What a certificate is for. */
    enum Purpose {
        /** The proxy shows it to its peers. */
        PROXY("serverAuth"),
        /** A peer shows it to the proxy. */
        PEER("clientAuth");

        private final String usage;

        Purpose(String usage) {
            this.usage = usage;
        }
    }

    /**
     * What is to be issued.
     *
     * @param commonName of its subject: letters, digits, {@code _} and {@code -}
     * @param purpose what it is for
     * @param names alternative names as keytool takes them, such as {@code dns:localhost}
     * @param days how long it is valid
     */
    record Request(String commonName, Purpose purpose, List<String> names, int days) {}

    /** Whether a certificate may be valid for so long. */
    static boolean isTerm(int days) {
        return days >= 1 && days <= MOST_DAYS;
    }

    /** What is wrong with such a term. */
    static String termFault(int days) {
        return "--days " + days + " is not within 1 to " + MOST_DAYS;
    }

    /** Whether a folder has an authority. */
    static boolean isIn(Path folder) {
        return Files.exists(folder.resolve("ca.p12"));
    }

    /** Opens the authority of a folder, and makes it when there is none. */
    static OwnAuthority in(Path folder) throws IOException {
        var authority = new OwnAuthority(folder);
        if (!Files.exists(authority.store)) {
            authority.make();
        }
        return authority;
    }

    Path certificate() {
        return certificate;
    }

    private void make() throws IOException {
        Path work = Files.createTempDirectory("lrwp");
        Path made = work.resolve("made.p12");
        try {
            keytool(
                    made,
                    List.of(
                            "-alias",
                            ALIAS,
                            "-dname",
                            "CN=LRWP peers",
                            "-validity",
                            Integer.toString(AUTHORITY_DAYS),
                            "-ext",
                            "bc:c=ca:true,pathlen:0",
                            "-ext",
                            "ku:c=keyCertSign,cRLSign"));
            writePem(certificate, "CERTIFICATE", read(made).getCertificate(ALIAS).getEncoded());
            try (FileChannel kept = PrivateFile.create(store)) {
                kept.write(ByteBuffer.wrap(Files.readAllBytes(made)));
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("the authority cannot be made: " + e.getMessage(), e);
        } finally {
            Files.deleteIfExists(made);
            Files.delete(work);
        }
    }

    /**
     * Issues a certificate with a key of its own.
     *
     * @param request what is wanted
     * @param to where the certificate goes, in PEM form
     * @param key where its key goes, as PKCS #8 in PEM form, mode 600
     * @throws FileAlreadyExistsException when one of the files is there
     * @throws IOException when it cannot be issued
     */
    void issue(Request request, Path to, Path key) throws IOException {
        Path work = Files.createTempDirectory("lrwp");
        Path copy = work.resolve("copy.p12");
        String alias = "issued";
        try {
            Files.copy(store, copy);
            List<String> words = new ArrayList<>();
            words.addAll(List.of("-alias", alias, "-signer", ALIAS));
            words.addAll(List.of("-dname", "CN=" + request.commonName()));
            words.addAll(List.of("-validity", Integer.toString(request.days())));
            words.addAll(List.of("-ext", "ku:c=digitalSignature"));
            words.addAll(List.of("-ext", "eku=" + request.purpose().usage));
            if (!request.names().isEmpty()) {
                words.addAll(List.of("-ext", "san=" + String.join(",", request.names())));
            }
            keytool(copy, words);
            KeyStore both = read(copy);
            Key made = both.getKey(alias, PASSWORD.toCharArray());
            Certificate issued = both.getCertificate(alias);
            writeKey(key, made.getEncoded());
            writePem(to, "CERTIFICATE", issued.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate cannot be made: " + e.getMessage(), e);
        } finally {
            Files.deleteIfExists(copy);
            Files.delete(work);
        }
    }

    /**
     * Issues a certificate with a new key in the place of others. Each file is whole at any time.
     *
     * @param request what is wanted
     * @param to the certificate that is there
     * @param key its key
     * @throws IOException when it cannot be issued; then what is there stays
     */
    void renew(Request request, Path to, Path key) throws IOException {
        Path newKey = key.resolveSibling(key.getFileName() + ".new");
        Path newCertificate = to.resolveSibling(to.getFileName() + ".new");
        try {
            Files.deleteIfExists(newKey);
            Files.deleteIfExists(newCertificate);
            issue(request, newCertificate, newKey);
            // Root may have been asked to do it for the user of the proxy.
            Files.setOwner(newKey, Files.getOwner(key));
            Files.setOwner(newCertificate, Files.getOwner(to));
            Files.move(newKey, key, StandardCopyOption.ATOMIC_MOVE);
            Files.move(newCertificate, to, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(newKey);
            Files.deleteIfExists(newCertificate);
        }
    }

    /** The alternative names of a certificate, as a {@link Request} has them. */
    static List<String> namesIn(Path certificate) throws IOException {
        try (InputStream in = Files.newInputStream(certificate)) {
            var read =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(in);
            var names = read.getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> DNS.equals(name.get(0)) || ADDRESS.equals(name.get(0)))
                            .map(name -> (DNS.equals(name.get(0)) ? "dns:" : "ip:") + name.get(1))
                            .toList();
        } catch (CertificateException e) {
            throw new IOException(certificate + " is no certificate: " + e.getMessage(), e);
        }
    }

    private static KeyStore read(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static void keytool(Path store, List<String> words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-genkeypair", "-keystore", store.toString()));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(words);
        Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
        tool.getOutputStream().close();
        String told =
                new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (!tool.waitFor(TOOL_SECONDS, TimeUnit.SECONDS) || tool.exitValue() != 0) {
                throw new IOException("keytool: " + told.lines().findFirst().orElse("no answer"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while keytool ran", e);
        }
    }

    private static String pem(String label, byte[] encoded) {
        var lines = Base64.getMimeEncoder(PEM_LINE, new byte[] {'\n'});
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(label, lines.encodeToString(encoded), label);
    }

    private static void writePem(Path file, String label, byte[] encoded) throws IOException {
        Files.writeString(file, pem(label, encoded), StandardOpenOption.CREATE_NEW);
    }

    private static void writeKey(Path file, byte[] encoded) throws IOException {
        byte[] text = pem("PRIVATE KEY", encoded).getBytes(StandardCharsets.US_ASCII);
        try (FileChannel made = PrivateFile.create(file)) {
            made.write(ByteBuffer.wrap(text));
        }
    }
}
