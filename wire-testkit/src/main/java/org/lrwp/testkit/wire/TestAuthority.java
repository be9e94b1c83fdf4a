package org.lrwp.testkit.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority that issues certificates with openssl, into a folder of its own. One thread. */
public final class TestAuthority {
    private static final long PATIENCE_SECONDS = 30;
    private static final String FOREVER = "20491231235959Z";
    private static final String LONG_AGO = "20200101000000Z";

    private final Path folder;

    /**
     * A certificate and its key.
     *
     * @param certificate PEM file
     * @param key PEM file, mode 600
     */
    public record Issued(Path certificate, Path key) {}

    /** Creates an authority in an empty folder, with a name of its own. */
    public TestAuthority(Path folder, String name) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("index.txt"), "");
        Files.writeString(folder.resolve("serial"), "1000\n");
        Files.writeString(folder.resolve("crlnumber"), "1000\n");
        Files.writeString(
                folder.resolve("ca.conf"),
                """
                [ca]
                default_ca = this
                [this]
                dir = %s
                database = %1$s/index.txt
                serial = %1$s/serial
                crlnumber = %1$s/crlnumber
                new_certs_dir = %1$s
                certificate = %1$s/ca.pem
                private_key = %1$s/ca.key
                default_md = sha256
                default_crl_days = 30
                unique_subject = no
                policy = any
                copy_extensions = copy
                [any]
                commonName = supplied
                [req]
                distinguished_name = name
                [name]
                """
                        .formatted(folder));
        List<String> words = new ArrayList<>(List.of("openssl", "req", "-x509", "-config"));
        words.addAll(List.of("ca.conf", "-newkey", "ec", "-pkeyopt"));
        words.addAll(List.of("ec_paramgen_curve:prime256v1", "-nodes", "-days", "3650"));
        words.addAll(List.of("-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=" + name));
        words.addAll(List.of("-addext", "basicConstraints=critical,CA:true"));
        words.addAll(List.of("-addext", "keyUsage=critical,keyCertSign,cRLSign"));
        run(words);
    }

    /** The authority's own certificate. */
    public Path certificate() {
        return folder.resolve("ca.pem");
    }

    /**
     * Issues a certificate for 127.0.0.1 and localhost.
     *
     * @param name its subject's common name, and that of its files
     */
    public Issued issue(String name) throws IOException {
        return issue(name, "DNS:localhost,IP:127.0.0.1", FOREVER);
    }

    /** Issues a certificate for a URI, such as a SPIFFE ID, and no host. */
    public Issued issueForUri(String name, String uri) throws IOException {
        return issue(name, "URI:" + uri, FOREVER);
    }

    /** Issues a certificate that has expired. */
    public Issued issueExpired(String name) throws IOException {
        return issue(name, "DNS:localhost,IP:127.0.0.1", "20210101000000Z");
    }

    private Issued issue(String name, String hosts, String until) throws IOException {
        String key = name + ".key";
        String request = name + ".csr";
        String certificate = name + ".pem";
        List<String> words = new ArrayList<>(List.of("openssl", "req", "-config", "ca.conf"));
        words.addAll(List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"));
        words.addAll(List.of("-nodes", "-keyout", key, "-out", request, "-subj", "/CN=" + name));
        words.addAll(List.of("-addext", "subjectAltName=" + hosts));
        run(words);
        words = new ArrayList<>(List.of("openssl", "ca", "-config", "ca.conf", "-batch"));
        words.addAll(List.of("-notext", "-in", request, "-out", certificate));
        words.addAll(List.of("-startdate", LONG_AGO, "-enddate", until));
        run(words);
        return new Issued(folder.resolve(certificate), folder.resolve(key));
    }

    /** Revokes a certificate; the next list of revoked ones has it. */
    public void revoke(Issued issued) throws IOException {
        run(
                List.of(
                        "openssl",
                        "ca",
                        "-config",
                        "ca.conf",
                        "-revoke",
                        issued.certificate().toString()));
    }

    /** Writes the list of revoked certificates. */
    public Path revoked() throws IOException {
        run(List.of("openssl", "ca", "-config", "ca.conf", "-gencrl", "-out", "revoked.pem"));
        return folder.resolve("revoked.pem");
    }

    private void run(List<String> words) throws IOException {
        Path log = folder.resolve("openssl.log");
        Process process =
                new ProcessBuilder(words)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!ended || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(words + ": " + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
