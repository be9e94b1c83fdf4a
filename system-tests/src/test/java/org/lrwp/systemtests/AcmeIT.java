package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.Pebble;
import org.lrwp.systemtests.harness.PemPair;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.TrustAll;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import javax.net.ssl.SSLSocket;

/**
 * Certificates from Pebble, a certification authority that proves names as others do. One server
 * has three modules: one proves its name by HTTP, one at the HTTPS port, and one cannot, because
 * the HTTPS port does not look into its folder. The authority comes late and leaves early.
 */
@Timeout(240)
@TestMethodOrder(OrderAnnotation.class)
class AcmeIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** Renewed when a third is left. */
    private static final Duration LIFE = Duration.ofSeconds(10);

    @TempDir private static Path folder;
    private static ProxyProcess proxy;
    private static Pebble pebble;
    private static int httpsPort;

    /** What a module is named after: its name, its folder, and its place in the log. */
    private enum Module {
        WEB("http-01", "/.well-known/acme-challenge"),
        TLS("tls-alpn-01", "/tls"),
        ELSEWHERE("tls-alpn-01", "/elsewhere");

        private final String challenge;
        private final String context;

        Module(String challenge, String context) {
            this.challenge = challenge;
            this.context = context;
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private String host() {
            return word() + ".test";
        }

        private Path file(String name) {
            return folder.resolve(word()).resolve(name);
        }

        private String settings(int directory, Path trust) {
            return """
            module.%1$s.type = acme
            module.%1$s.context = %2$s
            module.%1$s.names = %3$s
            module.%1$s.folder = %4$s
            module.%1$s.challenge = %5$s
            module.%1$s.directory = https://127.0.0.1:%6$d/dir
            module.%1$s.directory-ca = %7$s
            module.%1$s.contact = who@proxy.test
            module.%1$s.terms-agreed = true
            module.%1$s.start-delay = 0
            module.%1$s.challenge-delay = 100ms
            module.%1$s.retry-delay = 1s
            module.%1$s.retry-longest = 2s
            """
                    .formatted(word(), context, host(), file(""), challenge, directory, trust);
        }

        private PemPair pair() throws Exception {
            return PemPair.read(file("certificate.pem"), file("key.pem"));
        }

        private X509Certificate certificate() throws Exception {
            return pair().chain().getFirst();
        }

        /** How often an event of it is in the log. */
        private long count(String event) throws IOException {
            String mark = event + " module=" + word() + " ";
            return proxy.output().lines().filter(line -> line.contains(mark)).count();
        }

        private void await(String event) throws Exception {
            if (!Wait.until(SOON, () -> count(event) > 0)) {
                throw new AssertionError(
                        event + " does not come: " + proxy.lastLines(30) + "\n" + pebble);
            }
        }

        private void awaitFailures(int more) throws Exception {
            long before = count("certificate-failed");
            Wait.require(
                    "an authority that has gone is tried again",
                    SOON,
                    () -> count("certificate-failed") >= before + more);
        }

        private void requireRenewed() throws Exception {
            X509Certificate first = certificate();
            Wait.require("renewed", SOON, () -> !certificate().equals(first));
            assertNotEquals(first.getPublicKey(), certificate().getPublicKey());
        }
    }

    @BeforeAll
    static void start() throws Exception {
        Tools.require("go");
        int port = FreePorts.one();
        httpsPort = FreePorts.one();
        Path trust = folder.resolve("trust.pem");
        Files.copy(Pebble.trust(), trust);
        StringBuilder settings = new StringBuilder();
        for (Module one : Module.values()) {
            settings.append(one.settings(port, trust));
        }
        settings.append("https.port = ").append(httpsPort);
        settings.append("\nhttps.certificate = ").append(Module.TLS.file("certificate.pem"));
        settings.append("\nhttps.key = ").append(Module.TLS.file("key.pem"));
        settings.append("\nhttps.challenges = ").append(Module.TLS.file("challenges"));
        Path file = folder.resolve("proxy.properties");
        proxy =
                ProxyProcess.start(
                        "acme", Configuration.write(file, settings + "\n"), "--http-threads", "4");
        Module.WEB.awaitFailures(1);
        assertFalse(Files.exists(Module.WEB.file("certificate.pem")));
        pebble = Pebble.start(new Pebble.Setup(port, proxy.httpPort(), httpsPort, LIFE));
    }

    @AfterAll
    static void end() {
        pebble.close();
        proxy.close();
    }

    @Test
    @Order(1)
    void nameIsProvedByHttpAndTheCertificateRenewed() throws Exception {
        Module.WEB.await("certificate-issued");
        assertEquals(
                List.of(List.of(2, Module.WEB.host())),
                List.copyOf(Module.WEB.certificate().getSubjectAlternativeNames()));
        requireModes();
        requireOnlyTokensAreAnswered();
        Module.WEB.requireRenewed();
    }

    private static void requireModes() throws IOException {
        try (Stream<Path> all = Files.walk(Module.WEB.file(""))) {
            for (Path path : all.toList()) {
                String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
                assertEquals(
                        Files.isDirectory(path) ? "rwx------" : "rw-------", mode, path.toString());
            }
        }
    }

    private static void requireOnlyTokensAreAnswered() throws IOException {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            assertEquals(404, client.get("/.well-known/acme-challenge/unknown").status());
            assertEquals(404, client.get("/.well-known/acme-challenge/").status());
            assertEquals(404, client.get("/.well-known/acme-challenge").status());
        }
    }

    @Test
    @Order(2)
    void nameIsProvedAtTheHttpsPortWhichShowsEachNewCertificate() throws Exception {
        Module.TLS.await("certificate-issued");
        Certificate first = shown();
        assertEquals(
                List.of(List.of(2, Module.TLS.host())),
                List.copyOf(((X509Certificate) first).getSubjectAlternativeNames()));
        Wait.require(
                "the HTTPS port shows the renewed certificate",
                SOON,
                () -> !shown().equals(first) && shown().equals(Module.TLS.certificate()));
        try (RawHttp client = RawHttp.secure(httpsPort)) {
            assertEquals(200, client.get("/-/health/live").status());
        }
    }

    private static Certificate shown() throws IOException {
        Socket tcp = new Socket(InetAddress.getLoopbackAddress(), httpsPort);
        try (SSLSocket socket =
                (SSLSocket)
                        TrustAll.context()
                                .getSocketFactory()
                                .createSocket(tcp, Module.TLS.host(), httpsPort, true)) {
            socket.startHandshake();
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    @Test
    @Order(3)
    void theReasonOfTheAuthorityIsInTheLogAndNothingIsLeftBehind() throws Exception {
        String reason = "elsewhere.test was not proved: urn:ietf:params:";
        Wait.require("the reason is told", SOON, () -> proxy.output().contains(reason));
        assertFalse(Files.exists(Module.ELSEWHERE.file("certificate.pem")));
        assertFalse(proxy.output().contains("SLF4J"), "acme4j's lines have no place");
        pebble.close();
        for (Module one : Module.values()) {
            one.awaitFailures(1);
            try (Stream<Path> left = Files.list(one.file("challenges"))) {
                assertEquals(0, left.count());
            }
        }
    }

    @Test
    @Order(4)
    void theCertificateStaysWhenTheAuthorityIsGone() throws Exception {
        pebble.close();
        Module.WEB.awaitFailures(1);
        PemPair last = Module.WEB.pair();
        // Fails unless both belong together.
        last.server();
        Module.WEB.awaitFailures(1);
        assertEquals(last, Module.WEB.pair());
        JsonObject figures = figures(Module.WEB);
        assertTrue(figures.getInt("issued") >= 2);
        assertTrue(figures.getInt("failuresInARow") >= 2);
    }

    private static JsonObject figures(Module module) throws IOException {
        return proxy.status().page().getJsonArray("modules").stream()
                .map(JsonValue::asJsonObject)
                .filter(one -> one.getString("module").equals(module.word()))
                .findFirst()
                .orElseThrow()
                .getJsonObject("figures");
    }
}
