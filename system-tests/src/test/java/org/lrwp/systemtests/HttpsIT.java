package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Configuration;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.MetricsText;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.ProxyProcess;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Tools;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The proxy's HTTPS port, with curl as the client that trusts one certificate only. */
@Timeout(120)
class HttpsIT {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir private static Path folder;
    private static ProxyProcess proxy;
    private static int https;

    @BeforeAll
    static void start() throws Exception {
        Tools.require("openssl", "curl");
        makeCertificate("first");
        moveIn("first");
        makeCertificate("client");
        makeCertificate("stranger");
        https = FreePorts.one();
        Path file =
                Configuration.write(
                        folder.resolve("https.properties"),
                        "front = edge\nhttps.certificate = %s\nhttps.key = %s\nhttps.redirect-port = %d\nhttps.hsts = 1d\n"
                                .concat("access-log.file = %s\naccess-log.format = json\n")
                                .concat("https.client-certificates = optional\nhttps.trust = %s\n")
                                .concat("operator.erika.certificate = sha256:%s\n")
                                .formatted(
                                        folder.resolve("cert.pem"),
                                        folder.resolve("key.pem"),
                                        https,
                                        folder.resolve("access.log"),
                                        folder.resolve("client.pem"),
                                        fingerprint("client")));
        proxy = ProxyProcess.start("https", file, "--https-port", "" + https);
    }

    @AfterAll
    static void end() {
        proxy.close();
    }

    @Test
    void requestsComeByHttpsAndANewCertificateNeedsNoRestart() throws Exception {
        try (ServingPeer peer = ServingPeer.saying(proxy.lrwpPort(), "peer", "\r\nhello");
                RawHttp early = RawHttp.secure(https)) {
            assertEquals("hello", curl("first", https, "/peer/x"));
            assertTrue(peer.take().contains("\nHTTPS=on\n"));
            assertTrue(curl("first", https, "/-/health/live").contains("live"));
            assertEquals("hello", early.get("/peer/y").text());

            makeCertificate("second");
            moveIn("second");
            Wait.require(
                    "the new certificate is shown",
                    SOON,
                    () -> curl("second", https, "/peer/x").equals("hello"));

            HttpAnswer answer = early.get("/peer/z");
            assertEquals("hello", answer.text(), "the old connection goes on");
        }
    }

    @Test
    void aPeerIsToldWhichCertificateAClientHasShown() throws Exception {
        String shown = Files.readString(folder.resolve("client.pem"));
        String bare = shown.replaceAll("-----[A-Z ]+-----|\\s", "");
        String said = "-H 'SSL-Client-Cert: forged' ";
        try (ServingPeer peer = ServingPeer.saying(proxy.lrwpPort(), "shown", "\r\nhello")) {
            assertEquals("hello", asking(said + "--cert client.pem --key client.key"));
            String told = peer.take();
            assertTrue(told.contains("\nSSL_CLIENT_VERIFY=SUCCESS\n"), told);
            assertTrue(told.contains("\nSSL_CLIENT_CERT=" + bare + "\n"), told);

            assertEquals("hello", asking(said));
            told = peer.take();
            assertFalse(told.contains("\nSSL_CLIENT_"), told);

            assertEquals("", asking("--cert stranger.pem --key stranger.key"));
            assertTrue(handshakes("done") >= 2);
            assertTrue(handshakes("refused") >= 1);
        }
    }

    private static double handshakes(String outcome) throws IOException {
        String label = "outcome=\"" + outcome + "\"";
        return MetricsText.of(proxy).sum("lrwp_tls_handshakes_total", "of=\"clients\"", label);
    }

    private static String fingerprint(String name) throws Exception {
        List<String> words =
                List.of(
                        "openssl",
                        "x509",
                        "-in",
                        name + ".pem",
                        "-noout",
                        "-fingerprint",
                        "-sha256");
        String told = Tools.run(folder, SOON, "", words);
        return told.substring(told.indexOf('=') + 1).strip();
    }

    @Test
    void aCertificateOfAnOperatorStandsForTheToken() throws Exception {
        String set =
                "curl -sk %s -X PUT -H 'Content-Type: application/json' -d '{\"value\":\"9s\"}'"
                        .concat(" https://127.0.0.1:%d/-/api/v1/configuration/context.grace");
        String shown = set.formatted("--cert client.pem --key client.key", https);
        String bare = set.formatted("", https);

        String done = Tools.run(folder, SOON, "", List.of("sh", "-c", shown));
        String refused = Tools.run(folder, SOON, "", List.of("sh", "-c", bare));

        assertTrue(done.contains("\"value\":\"9s\""), done);
        assertTrue(refused.contains("This needs the certificate of an operator."), refused);
    }

    @Test
    void ctlShowsTheCertificateOfAnOperator() throws Exception {
        String trusted = "--ca-file " + copyOfCertificate("ctl");
        String shown = " --certificate client.pem --certificate-key client.key";

        String done = ctl(0, trusted + shown + " set context.body-timeout 41s");
        String bare = ctl(1, trusted + " set context.body-timeout 42s");
        String unknown = ctl(3, "--ca-file stranger.pem" + shown + " status");
        // Java shows it to nobody who does not ask for its authority.
        String stranger =
                ctl(
                        1,
                        trusted
                                + " --certificate stranger.pem --certificate-key stranger.key"
                                + " set context.body-timeout 43s");

        String needed = "lrwp: This needs the certificate of an operator. (403)";
        assertTrue(done.contains("41s"), done);
        assertEquals(needed, bare.strip());
        assertTrue(unknown.startsWith("lrwp: no TLS with https://127.0.0.1:" + https), unknown);
        assertEquals(needed, stranger.strip());
        String now = ctl(0, trusted + " config context.body-timeout");
        assertTrue(now.contains("41s"), now);
    }

    /** What is shown now, in a file that stays when another test moves a new one in. */
    private static String copyOfCertificate(String name) throws Exception {
        Path copy = folder.resolve(name + "-trusted.pem");
        Files.copy(folder.resolve("cert.pem"), copy, StandardCopyOption.REPLACE_EXISTING);
        return copy.toString();
    }

    /** What ctl says at the HTTPS port, with its exit code. */
    private static String ctl(int code, String options) throws Exception {
        List<String> words = new ArrayList<>(Project.java("-XX:TieredStopAtLevel=1", "-cp"));
        words.add(Project.root().resolve("proxy-server/target/proxy-server.jar").toString());
        words.addAll(List.of("org.lrwp.server.ctl.Ctl", "--url", "https://127.0.0.1:" + https));
        words.addAll(List.of(options.split(" ", -1)));
        String line = String.join(" ", words) + " 2>&1; test $? = " + code;
        return Tools.run(folder, SOON, "", List.of("sh", "-c", line));
    }

    /** What curl prints; nothing when there is no TLS with it. */
    private static String asking(String options) throws Exception {
        String line = "curl -sk %s https://127.0.0.1:%d/shown/x || true".formatted(options, https);
        return Tools.run(folder, SOON, "", List.of("sh", "-c", line));
    }

    @Test
    void theAccessLogSaysWhichTlsAClientSpeaks() throws Exception {
        try (ServingPeer peer = ServingPeer.saying(proxy.lrwpPort(), "told", "\r\nhello");
                RawHttp client = RawHttp.secure(https)) {
            assertEquals("hello", client.get("/told/x").text());
            assertTrue(peer.take().contains("\nHTTPS=on\n"));
        }
        Wait.require(
                "the line has version and cipher suite",
                SOON,
                () ->
                        Files.readAllLines(folder.resolve("access.log")).stream()
                                .anyMatch(
                                        line ->
                                                line.contains("/told/x")
                                                        && line.contains("\"tls-version\":\"TLSv1.")
                                                        && line.contains("\"tls-cipher\":\"TLS_")));
    }

    @Test
    void plainRequestsAreSentToHttpsAndBrowsersRemember() throws Exception {
        Files.copy(
                folder.resolve("cert.pem"),
                folder.resolve("now.pem"),
                StandardCopyOption.REPLACE_EXISTING);
        String line =
                "curl -sL --cacert now.pem -d sent -D head http://127.0.0.1:%d/plain/x"
                        .formatted(proxy.httpPort());
        try (ServingPeer peer = ServingPeer.saying(proxy.lrwpPort(), "plain", "\r\nhello")) {
            Wait.require(
                    "redirected",
                    SOON,
                    () -> Tools.run(folder, SOON, "", List.of("sh", "-c", line)).equals("hello"));
            assertTrue(peer.take().contains("\nREQUEST_METHOD=POST\n"));
            String heads = Files.readString(folder.resolve("head"));
            assertTrue(heads.contains("308 Permanent Redirect"), heads);
            assertTrue(heads.contains("\r\nStrict-Transport-Security: max-age=86400\r\n"), heads);
        }
        try (RawHttp page = RawHttp.secure(https)) {
            HttpAnswer answer = page.get("/nowhere.html");
            assertEquals("max-age=86400", answer.value("Strict-Transport-Security").orElse(""));
        }
    }

    @Test
    void aLargeBodyGoesThereAndBack() throws Exception {
        byte[] large = Bytes.random(8_000_000, 7);
        try (ServingPeer echo =
                        new ServingPeer(
                                proxy.lrwpPort(),
                                "large",
                                request -> Bytes.join(Bytes.of("\r\n"), request.body()));
                RawHttp client = RawHttp.secure(https)) {
            client.post("/large/x", large);
            assertArrayEquals(large, client.answer().body());
            assertEquals(1, echo.seen().size());
        }
    }

    @Test
    void whatIsMissingIsSaidInASentence() throws Exception {
        Path file = Configuration.write(folder.resolve("missing.properties"), "");
        Path nowhere = folder.resolve("nowhere.pem");
        try (ProxyProcess refused =
                ProxyProcess.launch(
                        "https-missing",
                        FreePorts.one(),
                        FreePorts.one(),
                        "--config",
                        file.toString(),
                        "--https-port",
                        "" + FreePorts.one(),
                        "--https-certificate",
                        nowhere.toString(),
                        "--https-key",
                        nowhere.toString())) {
            assertEquals(2, refused.exit(Duration.ofMinutes(1)));
            String told = refused.output();
            assertTrue(
                    told.contains("HTTPS cannot be spoken: https.certificate = " + nowhere), told);
        }
    }

    /** Makes a key and its certificate, which only its own client will trust. */
    private static void makeCertificate(String name) throws Exception {
        String line =
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout %1$s.key -out %1$s.pem -days 2 -subj /CN=%1$s -addext subjectAltName=IP:127.0.0.1"
                        .formatted(name);
        Tools.run(folder, SOON, "", List.of(line.split(" ", -1)));
    }

    private static void moveIn(String name) throws Exception {
        Files.copy(
                folder.resolve(name + ".pem"),
                folder.resolve("cert.pem"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.move(
                folder.resolve(name + ".key"),
                folder.resolve("key.pem"),
                StandardCopyOption.REPLACE_EXISTING);
    }

    /** What curl prints, nothing when it does not believe the server: it knows one certificate. */
    private static String curl(String trusted, int port, String target) throws Exception {
        String line =
                "curl -s --cacert %s.pem https://127.0.0.1:%d%s || test $? = 60"
                        .formatted(trusted, port, target);
        return Tools.run(folder, SOON, "", List.of("sh", "-c", line));
    }
}
