package org.lrwp.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.testkit.Figures.figure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.MonitoredMetrics;
import org.lrwp.testkit.RecordedExchange;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

class CertificateModuleTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir private Path parent;
    private final SetClock clock = new SetClock(NOW);

    private PeerModule open(String... settings) throws BadConfigurationException {
        return CertificateModule.open(Settings.setup(parent, settings), clock, clock);
    }

    private static RecordedExchange ask(ChallengeHandler handler, Head head) throws Exception {
        RecordedExchange exchange = new RecordedExchange(head);
        handler.handle(exchange);
        assertEquals("complete", exchange.awaitEnd());
        return exchange;
    }

    private static String body(RecordedExchange exchange) {
        return new String(exchange.bytes(), StandardCharsets.US_ASCII);
    }

    @Test
    void knownTokenGetsItsKeyAuthorizationAndNothingElseDoes() throws Exception {
        HttpAnswers answers = new HttpAnswers();
        ChallengeHandler handler = new ChallengeHandler(answers);
        answers.show("token", "token.thumbprint");

        RecordedExchange known = ask(handler, Head.get("/token"));
        assertEquals(200, known.status());
        assertEquals("token.thumbprint", body(known));
        assertEquals("application/octet-stream", known.header("Content-Type"));
        RecordedExchange head = ask(handler, Head.of("HEAD", "/token"));
        assertEquals(200, head.status());
        assertEquals("16", head.header("Content-Length"));
        assertEquals("", body(head));
        for (String path : List.of("/other", "/", "", "/token/", "//token", "/TOKEN")) {
            assertEquals(404, ask(handler, Head.get(path)).status(), path);
        }
        RecordedExchange post = ask(handler, Head.of("POST", "/token"));
        assertEquals(405, post.status());
        assertEquals("GET, HEAD", post.header("Allow"));
    }

    @Test
    void withoutAgreementItDoesNotStartAndNamesKeyAndTerms() throws Exception {
        try (FakeDirectory directory = new FakeDirectory()) {
            var e =
                    assertThrows(
                            BadConfigurationException.class,
                            () -> open("terms-agreed=false", "directory=" + directory.uri()));

            assertTrue(
                    String.valueOf(e.getMessage()).startsWith("terms-agreed must be true"),
                    e.getMessage());
            assertTrue(
                    String.valueOf(e.getMessage()).contains("https://ca.example/terms"),
                    e.getMessage());
        }
        assertTrue(clock.isClosed());
        assertFalse(Files.exists(parent.resolve("acme")));
    }

    @Test
    void directoryThatCannotBeReachedIsNamedWhereItsTermsWouldBe() {
        var e =
                assertThrows(
                        BadConfigurationException.class,
                        () ->
                                open(
                                        "terms-agreed=false",
                                        "directory=http://127.0.0.1:1/directory",
                                        "request-timeout=1s"));

        assertTrue(
                String.valueOf(e.getMessage()).contains("http://127.0.0.1:1/directory"),
                e.getMessage());
    }

    @Test
    void folderThatCannotBeMadeIsNamed() {
        String folder = parent.resolve("missing/acme").toString();

        var e = assertThrows(BadConfigurationException.class, () -> open("folder=" + folder));

        assertTrue(
                String.valueOf(e.getMessage()).startsWith("folder = " + folder + ": "),
                e.getMessage());
    }

    @Test
    void damagedAccountKeyIsAFaultAndIsNotReplaced() throws Exception {
        Path account = parent.resolve("acme/account.pem");
        open().close();
        Files.writeString(account, "damaged");

        var e =
                assertThrows(
                        BadConfigurationException.class,
                        () -> CertificateModule.open(Settings.setup(parent), clock, clock));

        assertTrue(String.valueOf(e.getMessage()).startsWith("folder = "), e.getMessage());
        assertEquals("damaged", Files.readString(account));
    }

    @Test
    void trustThatCannotBeReadIsNamed() throws Exception {
        Path file = Files.writeString(parent.resolve("ca.pem"), "no certificate");

        var e = assertThrows(BadConfigurationException.class, () -> open("directory-ca=" + file));
        assertTrue(
                String.valueOf(e.getMessage()).startsWith("directory-ca = " + file),
                e.getMessage());
        var missing =
                assertThrows(
                        BadConfigurationException.class,
                        () -> open("directory-ca=" + parent.resolve("missing.pem")));
        assertTrue(
                String.valueOf(missing.getMessage()).startsWith("directory-ca = "),
                missing.getMessage());
    }

    @Test
    void figuresSayHowItStandsAndFailuresShow() throws Exception {
        CertificateFolder.open(parent.resolve("acme"))
                .install(TestCertificates.pair(NOW, Duration.ofDays(90), "a.test", "b.test"));
        try (PeerModule module = open("directory=http://127.0.0.1:1/directory")) {
            assertEquals(90.0, figure(module, "daysLeft"));
            assertEquals(Duration.ofDays(60).toSeconds(), figure(module, "nextOrder").longValue());
            assertEquals(0.0, figure(module, "lastFailure").doubleValue());

            clock.advance(Duration.ofDays(60).plusMinutes(1));

            assertEquals(30.0, figure(module, "daysLeft").doubleValue(), 0.01);
            assertEquals(1L, figure(module, "failed"));
            assertEquals(1, figure(module, "failuresInARow"));
            assertEquals(60.0, figure(module, "lastFailure"));
            assertEquals(240.0, figure(module, "nextOrder"));
            assertEquals(0L, figure(module, "issued"));
            assertTrue(module.isPrompt());
            MonitoredMetrics.check("acme", module);
        }
    }

    @Test
    void certificateComesFromTheDirectoryOnceAndIsFoundAfterARestart() throws Exception {
        try (FakeDirectory directory = new FakeDirectory()) {
            String url = "directory=" + directory.uri();
            // Its own certificate is no matter without TLS.
            Path ca =
                    Files.writeString(
                            parent.resolve("ca.pem"),
                            Pem.of(TestCertificates.pair(NOW, Duration.ofDays(1)).chain()));
            try (PeerModule module = open(url, "challenge-delay=0", "directory-ca=" + ca)) {
                assertEquals(0.0, figure(module, "daysLeft").doubleValue());
                clock.advance(Duration.ofSeconds(10));
                assertEquals(1L, figure(module, "issued"));
            }
            SetClock later = new SetClock(NOW);
            try (PeerModule module =
                    CertificateModule.open(Settings.setup(parent, url), later, later)) {
                later.advance(Duration.ofDays(1));
                assertEquals(89.0, figure(module, "daysLeft"));
                assertEquals(0L, figure(module, "issued"));
            }
        }
    }

    @Test
    void tlsAlpnNeedsADirectoryThatOffersIt() throws Exception {
        try (FakeDirectory directory = new FakeDirectory();
                PeerModule module = open("directory=" + directory.uri(), "challenge=tls-alpn-01")) {
            clock.advance(Duration.ofSeconds(10));
            assertEquals(1L, figure(module, "failed"));
        }
    }

    @Test
    void providerOpensAModuleThatOrdersOnAThreadOfItsOwn() throws Exception {
        AcmeProvider provider = new AcmeProvider();
        assertEquals("acme", provider.type());
        assertEquals("/.well-known/acme-challenge", provider.defaultContext());
        assertFalse(provider.description().isEmpty());
        try (PeerModule module = provider.open(Settings.setup(parent))) {
            assertEquals(0L, figure(module, "failed"));
            assertEquals(0.0, figure(module, "daysLeft").doubleValue());
        }
    }
}
