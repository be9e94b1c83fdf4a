package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;

/** The commands {@code identity create} and {@code identity renew}. */
class IdentityCommandTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int create(String name, String... more) {
        var arguments =
                Stream.concat(
                        Stream.of("identity", "create", name, "--contexts", "/osp, /tep/**"),
                        Stream.of(more));
        var given = Stream.concat(arguments, Stream.of("--peers-file", file().toString()));
        return ProxyServer.run(print(out), print(err), given.toArray(String[]::new));
    }

    private Path file() {
        return folder.resolve("peers");
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String told(ByteArrayOutputStream by) {
        return by.toString(StandardCharsets.UTF_8);
    }

    @Test
    void helpNamesTheCommandsAsTheyAreGiven() {
        assertEquals(0, ProxyServer.run(print(out), print(err), "identity", "--help"));
        assertEquals(
                List.of("Usage: lrwp identity create NAME ...", "lrwp identity renew NAME ..."),
                told(out).lines().limit(2).map(String::strip).toList());
    }

    private List<Path> keys() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(one -> one.toString().endsWith(".key")).sorted().toList();
        }
    }

    @Test
    void itMakesAKeyTheLinesAndSaysWhatThePeerNeeds() throws IOException {
        assertEquals(0, create("billing", "--hosts", "osp.example.org"), told(err));

        Path key = keys().getFirst();
        assertTrue(Files.readString(key).matches("[0-9a-f]{64}\n"));
        String lines = Files.readString(file());
        assertTrue(lines.contains("peer.billing.contexts = /osp, /tep/**\n"), lines);
        assertTrue(lines.contains("peer.billing.hosts = osp.example.org\n"), lines);
        assertTrue(lines.contains(" = " + key + "\n"), lines);
        for (Path written : List.of(key, file())) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(written)));
        }
        for (String language : List.of("Java", "Python", "JavaScript", "Go", "C", "programs")) {
            assertTrue(told(out).contains("\n  " + language + " "), told(out));
        }
        assertTrue(told(out).contains("PeerBuilder.identity(\"billing\", "), told(out));
        assertFalse(told(out).contains(Files.readString(key).strip()), "the key is printed");
    }

    @Test
    void anIdentityThatIsThereIsNotChanged() throws IOException {
        create("billing");
        String before = Files.readString(file());

        assertEquals(2, create("billing"));
        assertEquals("lrwp: there is an identity billing in " + file(), told(err).strip());
        assertEquals(before, Files.readString(file()));

        assertEquals(0, create("bill"));
        assertEquals(2, keys().size());
    }

    @Test
    void aFolderThatIsMissingIsNamed() {
        String[] elsewhere = {
            "identity",
            "create",
            "billing",
            "--contexts",
            "/osp",
            "--peers-file",
            folder.resolve("missing/peers").toString()
        };

        assertEquals(2, ProxyServer.run(print(out), print(err), elsewhere));
        String start = "lrwp: there is no folder for the file " + folder.resolve("missing");
        assertTrue(told(err).startsWith(start), told(err));
    }

    @Test
    void aFileThatEndsAmidALineIsEndedFirst() throws IOException {
        Files.writeString(file(), "# mine");
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
        assertEquals(0, create("billing"), told(err));
        assertTrue(Files.readString(file()).startsWith("# mine\npeer.billing."));
    }

    @Test
    void theModeOfAFileThatIsThereIsKept() throws IOException {
        Path config = folder.resolve("lrwp.properties");
        for (Path there : List.of(config, file())) {
            Files.writeString(there, "");
            Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rw-r--r--"));
        }

        assertEquals(0, createIn(config, "billing"), told(err));

        for (Path there : List.of(config, file())) {
            assertTrue(Files.size(there) > 0);
            assertEquals(
                    "rw-r--r--",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(there)));
        }
    }

    @Test
    void whatRootMakesIsGivenToTheUserOfTheProxy() throws IOException {
        Path config = Files.createFile(folder.resolve("lrwp.properties"));
        assumeTrue(Files.getOwner(config).getName().equals("root"));
        assertEquals(0, createIn(config, "roots"), told(err));
        assertTrue(told(out).contains("For the user of the packages: chown lrwp " + folder));
        Path spaced = Files.createDirectory(folder.resolve("Bob's files"));
        assertEquals(0, createIn(spaced.resolve("lrwp.properties"), "spaced"), told(err));
        assertTrue(told(out).contains("chown lrwp '" + folder + "/Bob'\\''s files/"), told(out));
        UserPrincipal nobody =
                folder.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName("nobody");
        Files.setOwner(config, nobody);

        assertEquals(0, ProxyServer.run(print(out), print(err), keyBeside(config)), told(err));

        Path key =
                keys().stream().filter(one -> one.toString().contains(".20")).toList().getFirst();
        assertEquals(nobody, Files.getOwner(key));
        assertEquals("root", Files.getOwner(folder.resolve("ca.p12")).getName());
    }

    private static String[] keyBeside(Path config) {
        return new String[] {
            "identity", "create", "keyed", "--contexts", "/a", "--config", config.toString()
        };
    }

    private static X509Certificate certificate(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private int createIn(Path config, String name, String... more) {
        var given =
                Stream.concat(
                        Stream.of("identity", "create", name, "--contexts", "/" + name),
                        Stream.concat(
                                Stream.of("--config", config.toString(), "--certificate"),
                                Stream.of(more)));
        return ProxyServer.run(print(out), print(err), given.toArray(String[]::new));
    }

    @Test
    void fromNothingToCertificatesAndAConfigurationInOneCommand() throws Exception {
        Path config = folder.resolve("lrwp.properties");
        assertEquals(0, createIn(config, "billing", "--proxy-host", "proxy.example"), told(err));

        X509Certificate authority = certificate(folder.resolve("ca.pem"));
        X509Certificate proxy = certificate(folder.resolve("proxy.pem"));
        X509Certificate peer = certificate(folder.resolve("billing.pem"));
        proxy.verify(authority.getPublicKey());
        peer.verify(authority.getPublicKey());
        assertEquals("CN=billing", peer.getSubjectX500Principal().getName());
        assertTrue(proxy.getSubjectAlternativeNames().toString().contains("proxy.example"));
        assertEquals(List.of("1.3.6.1.5.5.7.3.2"), peer.getExtendedKeyUsage());
        assertEquals(-1, peer.getBasicConstraints());
        for (String secret : List.of("ca.p12", "proxy.key", "billing.key", "peers")) {
            Path file = folder.resolve(secret);
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        }
        assertTrue(Files.readString(file()).contains("peer.billing.certificate = CN=billing\n"));
        String lines = Files.readString(config);
        for (String key : List.of("peers-file", "tls.certificate", "tls.key", "tls.trust")) {
            assertTrue(lines.contains("agent." + key + " = " + folder), lines);
        }
        for (String language : List.of("Java", "Python", "JavaScript", "Go", "C", "programs")) {
            assertTrue(told(out).contains("\n  " + language + " "), told(out));
        }

        assertEquals(0, createIn(config, "gateway"), told(err));
        assertEquals(lines, Files.readString(config));
        assertEquals(proxy, certificate(folder.resolve("proxy.pem")));
        certificate(folder.resolve("gateway.pem")).verify(authority.getPublicKey());
        assertTrue(told(out).contains("The proxy   has all it needs in "), told(out));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(10, files.count());
        }
    }

    private int renew(String name, String... more) {
        var given = Stream.concat(Stream.of("identity", "renew", name), Stream.of(more));
        return ProxyServer.run(print(out), print(err), given.toArray(String[]::new));
    }

    @Test
    void certificatesOfPeerAndProxyAreRenewedWithNewKeysForTheSameNames() throws Exception {
        String config = folder.resolve("lrwp.properties").toString();
        Path peer = folder.resolve("billing.pem");
        Path proxy = folder.resolve("proxy.pem");
        createIn(Path.of(config), "billing", "--proxy-host", "proxy.example", "--days", "2");
        X509Certificate oldPeer = certificate(peer);
        X509Certificate oldProxy = certificate(proxy);
        String lines = Files.readString(file()) + Files.readString(Path.of(config));

        assertEquals(0, renew("billing", "--config", config), told(err));
        assertEquals(oldProxy, certificate(proxy));
        assertEquals(0, renew("proxy", "--config", config, "--days", "30"), told(err));

        X509Certificate authority = certificate(folder.resolve("ca.pem"));
        for (Path one : List.of(peer, proxy)) {
            X509Certificate fresh = certificate(one);
            X509Certificate old = one.equals(peer) ? oldPeer : oldProxy;
            fresh.verify(authority.getPublicKey());
            assertEquals(old.getSubjectX500Principal(), fresh.getSubjectX500Principal());
            assertEquals(old.getExtendedKeyUsage(), fresh.getExtendedKeyUsage());
            assertEquals(
                    String.valueOf(old.getSubjectAlternativeNames()),
                    String.valueOf(fresh.getSubjectAlternativeNames()));
            assertNotEquals(old.getPublicKey(), fresh.getPublicKey());
            assertTrue(fresh.getNotAfter().toInstant().isAfter(old.getNotAfter().toInstant()));
        }
        for (Path key : keys()) {
            assertEquals(
                    "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(key)));
        }
        assertEquals(lines, Files.readString(file()) + Files.readString(Path.of(config)));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(8, files.count());
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Test
    void aPeersFileThatTheProxyDoesNotReadIsAnError() throws IOException {
        Path config = folder.resolve("px.properties");
        String line = "agent.peers-file = " + file() + "\n";
        Files.writeString(config, line);
        String other = folder.resolve("p3").toString();
        String[] tail = {"--peers-file", other, "--config", config.toString()};
        var given =
                Stream.concat(
                        Stream.of("identity", "create", "y", "--contexts", "/a"), Stream.of(tail));

        assertEquals(2, ProxyServer.run(print(out), print(err), given.toArray(String[]::new)));
        assertEquals(2, renew("y", tail));

        String told =
                "lrwp: --peers-file %s is not the file that %s names: agent.peers-file = %s%n"
                        .formatted(other, config, file());
        assertEquals(told.repeat(2), told(err));
        assertEquals("", told(out));
        assertEquals(List.of(config), files());
        assertEquals(line, Files.readString(config));
    }

    @Test
    void thePeersFileOfTheConfigurationMayBeNamedInAnotherWay() throws IOException {
        Path config = folder.resolve("px.properties");
        Files.writeString(config, "agent.peers-file = " + folder + "/./peers\n");

        assertEquals(0, create("y", "--config", config.toString()), told(err));

        assertTrue(told(out).contains("The proxy   has all it needs in " + config), told(out));
    }

    @Test
    void otherFilesOfTlsInTheConfigurationAreTold() throws IOException {
        Path config = folder.resolve("px.properties");
        Files.writeString(config, "agent.tls.trust = other.pem\n");

        assertEquals(0, createIn(config, "y"), told(err));

        String told =
                "The proxy   has agent.tls.trust = other.pem in %s, not %s%n"
                        .formatted(config, folder.resolve("ca.pem"));
        assertTrue(told(out).contains(told), told(out));
    }

    @Test
    void aConfigurationThatIsMissingIsNamedWhenSomethingIsRenewed() {
        Path config = folder.resolve("nosuch.properties");

        assertEquals(2, renew("web", "--config", config.toString()));

        assertEquals("lrwp: the configuration " + config + " does not exist\n", told(err));
    }

    @Test
    void aHostThatTheCertificateOfTheProxyDoesNotNameIsAnError() throws Exception {
        Path config = folder.resolve("px.properties");
        assertEquals(0, createIn(config, "one", "--proxy-host", "one.example"), told(err));
        List<Path> before = files();

        assertEquals(2, createIn(config, "two", "--proxy-host", "::1"));

        assertEquals(
                "lrwp: the proxy's certificate "
                        + folder.resolve("proxy.pem")
                        + " is there already; it is good for one.example, not for ::1:"
                        + " lrwp identity renew proxy --config "
                        + config
                        + " --proxy-host ::1 makes one for all of them\n",
                told(err));
        assertEquals(before, files());

        String text = config.toString();
        assertEquals(0, renew("proxy", "--config", text, "--proxy-host", "::1"), told(err));
        assertEquals(0, renew("proxy", "--config", text, "--proxy-host", "0::1"), told(err));
        X509Certificate proxy = certificate(folder.resolve("proxy.pem"));
        assertEquals(2, proxy.getSubjectAlternativeNames().size());
        assertTrue(told(out).contains("good for one.example, ::1\n"), told(out));
        assertEquals(0, createIn(config, "two", "--proxy-host", "::1"), told(err));
        assertEquals(0, createIn(config, "three", "--proxy-host", "ONE.example"), told(err));
    }

    @ParameterizedTest
    @CsvSource({
        "web, a.example, --proxy-host is for identity renew proxy",
        "proxy, 'a,ip:1.2.3.4', '--proxy-host \"a,ip:1.2.3.4\" is no host name and no address'",
    })
    void aHostIsAddedToTheProxyAlone(String name, String host, String told) {
        assertEquals(2, renew(name, "--peers-file", file().toString(), "--proxy-host", host));
        assertEquals("lrwp: " + told, told(err).strip());
    }

    @Test
    void thePortThatThePeerDialsIsThatOfTheConfiguration() throws IOException {
        Path config = folder.resolve("lrwp.properties");
        assertEquals(0, createIn(config, "first"), told(err));
        assertTrue(told(out).contains("it dials agent.tls.port, 1082\n"), told(out));
        out.reset();

        Files.writeString(config, Files.readString(config) + "agent.tls.port = 28082\n");
        assertEquals(0, createIn(config, "billing"), told(err));
        assertEquals(0, renew("billing", "--config", config.toString()), told(err));

        assertEquals(2, told(out).split("agent.tls.port, 28082\n", -1).length - 1, told(out));
    }

    @Test
    void anIdentityWithAKeyGetsAFurtherOne() throws IOException {
        Files.writeString(folder.resolve("old.key"), "a");
        LineFile.append(file(), "peer.billing.key.2025 = old.key\npeer.billing.contexts = /osp\n");

        assertEquals(0, renew("billing", "--peers-file", file().toString()), told(err));

        assertEquals(2, keys().size());
        Path key = keys().getFirst();
        String added = Files.readString(file());
        assertTrue(added.startsWith("peer.billing.key.2025 = old.key\n"), added);
        assertTrue(added.endsWith(" = " + key + "\n"), added);
        assertTrue(told(out).contains("PeerBuilder.identity(\"billing\", "), told(out));
        assertTrue(told(out).endsWith(file() + ": peer.billing.key.2025\n"), told(out));

        for (String letter : List.of("b", "c")) {
            String day = folder.relativize(key).toString().replace(".key", letter);
            assertEquals(0, renew("billing", "--peers-file", file().toString()), told(err));
            String line = "peer.billing.key.%s = ".formatted(day.replace("billing.", ""));
            assertTrue(Files.readString(file()).contains(line), line);
            assertTrue(Files.exists(folder.resolve(day + ".key")));
        }
        assertTrue(Files.readString(file()).startsWith(added));
    }

    @ParameterizedTest
    @CsvSource({
        "other, 1, the identity other in FOLDER/peers has no key",
        "proxy, 1, there is no certificate of identity create for the proxy in FOLDER",
        "proxy, 3651, --days 3651 is not within 1 to 3650",
    })
    void whatCannotBeRenewedIsASentence(String name, String days, String sentence) {
        assertEquals(2, renew(name, "--peers-file", file().toString(), "--days", days));
        String expected = "lrwp: " + sentence.replace("FOLDER", folder.toString());
        assertTrue(told(err).startsWith(expected), told(err));
    }

    @Test
    void whatIsThereIsNotOverwritten() throws Exception {
        Files.writeString(folder.resolve("billing.key"), "precious");
        assertEquals(2, createIn(folder.resolve("a.properties"), "billing"));
        assertTrue(told(err).contains("billing.key is there already"), told(err));
        assertEquals("precious", Files.readString(folder.resolve("billing.key")));
        assertFalse(Files.exists(file()));
    }

    @ParameterizedTest
    @CsvSource({
        "ca, --days, 10, cannot be called ca",
        "billing, --days, 0, --days 0 is not within 1 to 3650",
        "billing, --proxy-host, 'a,ip:1.2.3.4', is no host name",
    })
    void wrongUseOfCertificatesMakesNothing(String name, String option, String value, String told)
            throws IOException {
        assertEquals(2, createIn(folder.resolve("a.properties"), name, option, value));
        assertTrue(told(err).contains(told), told(err));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(0, files.count());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "osp, --hosts, a, peer.billing.contexts = osp (--contexts): allowed is contexts as /osp",
        "'', --hosts, a, peer.billing.contexts must be set",
        "/osp\\, --networks, 10.0.0.0/8, --contexts: a properties file has another meaning",
        "/osp, --networks, foo, peer.billing.networks = foo (--networks): allowed is networks",
        "/osp, --hosts, bad host, peer.billing.hosts = bad host (--hosts): allowed is host names",
        "/osp, --proxy-host, a.example, --proxy-host is for the proxy's certificate: it needs",
        "/osp, --days, 30, --days is for certificates: it needs --certificate",
    })
    void linesThatTheProxyWouldRefuseMakeNothing(
            String contexts, String option, String value, String told) throws IOException {
        String[] line = {
            "identity",
            "create",
            "billing",
            "--contexts",
            contexts,
            option,
            value,
            "--peers-file",
            file().toString()
        };

        assertEquals(2, ProxyServer.run(print(out), print(err), line));

        assertTrue(told(err).startsWith("lrwp: " + told), told(err));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(), files.toList());
        }
    }

    @Test
    void wrongUseIsASentenceAndMakesNothing() throws IOException {
        assertEquals(2, create("no.dots"));
        assertTrue(told(err).contains("the name \"no.dots\" is not"), told(err));
        assertEquals(2, ProxyServer.run(print(out), print(err), "identity"));
        assertTrue(told(err).contains("identity create NAME"), told(err));
        String[] without = {"identity", "create", "a", "--contexts", "/a"};
        assertEquals(2, ProxyServer.run(print(out), print(err), without));
        assertTrue(told(err).contains("needs --peers-file or --config"), told(err));
        assertEquals(List.of(), keys());
    }
}
