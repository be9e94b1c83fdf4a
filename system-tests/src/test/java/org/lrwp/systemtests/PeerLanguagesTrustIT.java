package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.ExamplePeer;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.PeerLanguage;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.TlsProxy;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.TestAuthority;
import org.lrwp.testkit.wire.TestAuthority.Issued;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The peers of each language prove who they are, by key and by certificate, plain and inside TLS.
 * For Java that is in the tests of its SDK.
 */
@Timeout(120)
class PeerLanguagesTrustIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir private static Path folder;
    private static TestAuthority stranger;
    private static Issued courier;
    private static TlsProxy server;

    @BeforeAll
    static void start() throws Exception {
        Tools.require("openssl");
        stranger = new TestAuthority(folder.resolve("others"), "others");
        String peers =
                """
                peer.billing.key.2026a = %s
                peer.billing.contexts = /billing/**
                peer.courier.certificate = CN=courier
                peer.courier.contexts = /courier/**
                """
                        .formatted(
                                Configuration.write(
                                        folder.resolve("billing.key"), "5a".repeat(32) + "\n"));
        Configuration.write(folder.resolve("other.key"), "5b".repeat(32) + "\n");
        server = new TlsProxy("trust", folder, peers);
        courier = server.authority().issue("courier");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static List<String> key(String file) {
        String path = folder.resolve(file).toString();
        return List.of("--identity", "billing", "--key-id", "2026a", "--key-file", path);
    }

    private static List<String> trusting(TestAuthority trusted) {
        return List.of("--ca-file", trusted.certificate().toString());
    }

    private static List<String> certificate() {
        String shown = courier.certificate().toString();
        return List.of("--certificate", shown, "--certificate-key", courier.key().toString());
    }

    @SafeVarargs
    private static ExamplePeer start(
            PeerLanguage language, String example, int port, String app, List<String>... options)
            throws Exception {
        List<String> all = new ArrayList<>();
        for (List<String> some : options) {
            all.addAll(some);
        }
        language.prepareTls();
        return ExamplePeer.start(language, example, port, app, all.toArray(String[]::new));
    }

    private static void awaitServed(ExamplePeer peer, String app) throws Exception {
        peer.awaitLine("registered");
        Wait.require(
                "the context is served",
                SOON,
                () -> server.process().status().number("/" + app, "connections") > 0);
    }

    private static void requireEcho(String app) throws Exception {
        try (RawHttp client = RawHttp.to(server.process().httpPort())) {
            Answers.requireEcho("GET", "/x", "", client.get("/" + app + "/x"));
            byte[] body = Bytes.random(1_000_000, 1);
            client.post("/" + app + "/large", body);
            HttpAnswer answer = client.answer();
            assertArrayEquals(Bytes.join(Bytes.of("POST /large\n"), body), answer.body());
        }
    }

    private static void requireUnserved(ExamplePeer peer, String app) throws Exception {
        assertTrue(peer.time("registered").isEmpty(), peer::toString);
        try (RawHttp client = RawHttp.to(server.process().httpPort())) {
            assertEquals(404, client.get("/" + app + "/x").status());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void keyLetsAPeerServe(PeerLanguage language) throws Exception {
        String app = "billing/key-" + language.label();
        try (ExamplePeer peer =
                start(language, "echo", server.process().lrwpPort(), app, key("billing.key"))) {
            awaitServed(peer, app);
            requireEcho(app);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void keyInsideTlsLetsAPeerServe(PeerLanguage language) throws Exception {
        String app = "billing/inside-" + language.label();
        List<String> inside = trusting(server.authority());
        try (ExamplePeer peer =
                start(language, "echo", server.tlsPort(), app, inside, key("billing.key"))) {
            awaitServed(peer, app);
            requireEcho(app);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void certificateLetsAPeerServe(PeerLanguage language) throws Exception {
        String app = "courier/" + language.label();
        List<String> inside = trusting(server.authority());
        try (ExamplePeer peer =
                start(language, "echo", server.tlsPort(), app, inside, certificate())) {
            awaitServed(peer, app);
            requireEcho(app);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void peerWithoutItsKeyIsToldThatItMayNot(PeerLanguage language) throws Exception {
        String app = "billing/none-" + language.label();
        try (ExamplePeer peer = start(language, "echo", server.process().lrwpPort(), app)) {
            peer.awaitLine("ERROR: Application not permitted");
            requireUnserved(peer, app);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void proxyWithAnotherKeyIsNotServed(PeerLanguage language) throws Exception {
        String app = "billing/wrong-" + language.label();
        try (ExamplePeer peer =
                start(language, "echo", server.process().lrwpPort(), app, key("other.key"))) {
            peer.awaitLines(2, "does not have the key");
            requireUnserved(peer, app);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void proxyOfAnotherAuthorityIsNotServed(PeerLanguage language) throws Exception {
        String app = "billing/stranger-" + language.label();
        List<String> inside = trusting(stranger);
        try (ExamplePeer peer =
                start(language, "echo", server.tlsPort(), app, inside, key("billing.key"))) {
            peer.awaitLine("lost");
            requireUnserved(peer, app);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void peerInsideTlsThatIsToldToLeaveFailsNoRequest(PeerLanguage language) throws Exception {
        String app = "courier/patient-" + language.label();
        List<String> inside = trusting(server.authority());
        try (ExamplePeer peer =
                        start(language, "drain", server.tlsPort(), app, inside, certificate());
                RawHttp client = RawHttp.to(server.process().httpPort())) {
            awaitServed(peer, app);
            client.request("GET", "/" + app + "/begun");
            peer.awaitLine("began");
            peer.terminate();
            assertEquals("done", client.answer().text().strip());
            peer.awaitLine("drained").awaitEnd();
        }
    }
}
