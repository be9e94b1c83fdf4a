package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.AlpnServer;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.Pebble;
import org.lrwp.systemtests.harness.PemPair;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Certificates from Pebble, a certification authority that proves names as others do. */
@Timeout(240)
class AcmeIT {
    private static final Duration SOON = Duration.ofSeconds(40);

    /** Renewed when a third is left. */
    private static final Duration LIFE = Duration.ofSeconds(15);

    private static final String NAME = "proxy.test";

    @TempDir private Path folder;

    private Path kept(String file) {
        return folder.resolve("acme").resolve(file);
    }

    private ProxyProcess proxy(String name, int pebble, String... more) throws Exception {
        Path trust = folder.resolve("trust.pem");
        Files.copy(Pebble.trust(), trust);
        String settings =
                """
                module.acme.type = acme
                module.acme.context = /.well-known/acme-challenge
                module.acme.names = %s
                module.acme.folder = %s
                module.acme.directory = https://127.0.0.1:%d/dir
                module.acme.directory-ca = %s
                module.acme.contact = who@proxy.test
                module.acme.terms-agreed = true
                module.acme.start-delay = 0
                module.acme.challenge-delay = 100ms
                module.acme.retry-delay = 1s
                module.acme.retry-longest = 2s
                """
                        .formatted(NAME, folder.resolve("acme"), pebble, trust);
        return ProxyProcess.start(
                name,
                Configuration.write(
                        folder.resolve("proxy.properties"),
                        settings + String.join("\n", more) + "\n"),
                "--http-threads",
                "4");
    }

    private PemPair pair() throws Exception {
        return PemPair.read(kept("certificate.pem"), kept("key.pem"));
    }

    private X509Certificate certificate() throws Exception {
        return pair().chain().getFirst();
    }

    private void awaitCertificate(Pebble pebble, ProxyProcess proxy) throws Exception {
        if (!Wait.until(SOON, () -> proxy.output().contains("certificate-issued"))) {
            throw new AssertionError("none issued: " + proxy.lastLines(30) + "\n" + pebble);
        }
    }

    private static void awaitFailures(ProxyProcess proxy, int more) throws Exception {
        long before = count(proxy, "certificate-failed");
        Wait.require(
                "an authority that has gone is tried again",
                SOON,
                () -> count(proxy, "certificate-failed") >= before + more);
    }

    private static long count(ProxyProcess proxy, String event) throws IOException {
        return proxy.output().lines().filter(line -> line.contains(event)).count();
    }

    @Test
    void certificateIsProvedByHttpRenewedAndStaysWhenTheAuthorityIsGone() throws Exception {
        Tools.require("go");
        int port = FreePorts.one();
        try (ProxyProcess proxy = proxy("acme-http", port)) {
            awaitFailures(proxy, 1);
            assertFalse(Files.exists(kept("certificate.pem")));
            var setup = new Pebble.Setup(port, proxy.httpPort(), FreePorts.one(), LIFE);
            try (Pebble pebble = Pebble.start(setup)) {
                awaitCertificate(pebble, proxy);
                X509Certificate first = certificate();
                assertEquals(
                        List.of(List.of(2, NAME)), List.copyOf(first.getSubjectAlternativeNames()));
                requireModes();
                requireOnlyTokensAreAnswered(proxy);

                Wait.require("renewed", SOON, () -> !certificate().equals(first));
                assertNotEquals(first.getPublicKey(), certificate().getPublicKey());
            }
            awaitFailures(proxy, 2);
            PemPair last = pair();
            // Fails unless both belong together.
            last.server();
            awaitFailures(proxy, 1);
            assertEquals(last, pair());
            assertTrue(figure(proxy, "issued") >= 2);
            assertTrue(figure(proxy, "failuresInARow") >= 2);
            assertFalse(proxy.output().contains("SLF4J"), "acme4j's lines have no place");
        }
    }

    private void requireModes() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("acme"))) {
            for (Path path : all.toList()) {
                String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
                assertEquals(
                        Files.isDirectory(path) ? "rwx------" : "rw-------", mode, path.toString());
            }
        }
    }

    private static void requireOnlyTokensAreAnswered(ProxyProcess proxy) throws IOException {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            assertEquals(404, client.get("/.well-known/acme-challenge/unknown").status());
            assertEquals(404, client.get("/.well-known/acme-challenge/").status());
            assertEquals(404, client.get("/.well-known/acme-challenge").status());
        }
    }

    private static int figure(ProxyProcess proxy, String name) throws IOException {
        return proxy.status()
                .page()
                .getJsonArray("modules")
                .getJsonObject(0)
                .getJsonObject("figures")
                .getInt(name);
    }

    @Test
    void certificateIsProvedByTlsAsSoonAsThePortIsOpenAndTheAnswerIsRemoved() throws Exception {
        Tools.require("go");
        List<Integer> ports = FreePorts.several(3);
        var setup = new Pebble.Setup(ports.get(0), ports.get(1), ports.get(2), Duration.ofDays(90));
        try (Pebble pebble = Pebble.start(setup);
                ProxyProcess proxy =
                        proxy("acme-tls", ports.get(0), "module.acme.challenge = tls-alpn-01")) {
            Wait.require(
                    "the reason that the authority gives is in the log",
                    SOON,
                    () -> proxy.output().contains("proxy.test was not proved: urn:ietf:params:"));
            Path answer = kept("challenges/" + NAME + ".pem");
            try (AlpnServer tls = AlpnServer.open(ports.get(2), answer)) {
                awaitCertificate(pebble, proxy);

                // The authority may look from several places.
                assertEquals(Set.of("acme-tls/1 " + NAME), Set.copyOf(tls.asked()));
            }
            pair().server();
            try (Stream<Path> left = Files.list(kept("challenges"))) {
                assertEquals(0, left.count());
            }
        }
    }
}
