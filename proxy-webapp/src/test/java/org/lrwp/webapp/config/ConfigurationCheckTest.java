package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.webapp.https.PemFolder;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What {@code ./lrwp check} tells. */
class ConfigurationCheckTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream told = new ByteArrayOutputStream();

    private int check(Map<String, String> environment, String... lines) throws IOException {
        Path file = Files.write(folder.resolve("proxy.properties"), List.of(lines));
        PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8);
        return ConfigurationCheck.run(out, environment, Map.of("lrwp.config", file.toString()));
    }

    private List<String> lines() {
        return told.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void everyFaultIsALineWithFileLineKeyValueAndWhatIsAllowed() throws IOException {
        int code =
                check(
                        Map.of("LRWP_AGENT_PROT", "1"),
                        "context.grace = soon",
                        "agent.transport = own",
                        "front = edge",
                        "nobody.knows = it",
                        "module.a.type = none",
                        "module.a.context = /a",
                        "module.b.type = greeting",
                        "module.b.context = /b",
                        "module.b.size = many");

        assertEquals(1, code);
        String place = "file " + folder.resolve("proxy.properties") + ":";
        List<String> lines = lines();
        assertEquals(6, lines.size(), lines.toString());
        assertTrue(lines.contains("unknown variable LRWP_AGENT_PROT in the environment"));
        assertTrue(
                lines.contains(
                        "context.grace = soon ("
                                + place
                                + "1): allowed is a time as 250ms, 10s, 5m, 1h or 1d, at least 0"),
                lines.toString());
        assertTrue(lines.contains("unknown key nobody.knows (" + place + "4)"), lines.toString());
        assertTrue(
                lines.contains(
                        "front = edge needs agent.transport = auto ("
                                + place
                                + "3, "
                                + place
                                + "2)"),
                lines.toString());
        assertTrue(
                // Whatever modules there are beside the test's own one.
                lines.stream()
                        .filter(line -> line.startsWith("module.a.type = none (" + place + "5): "))
                        .anyMatch(line -> line.endsWith("greeting")),
                lines.toString());
        assertTrue(
                lines.contains(
                        "module.b: size = many (" + place + "9): allowed is a number, 1 to 10"),
                lines.toString());
    }

    @Test
    void aConfigurationWithoutFaultIsToldToo() throws IOException {
        assertEquals(0, check(Map.of("LRWP_AGENT_PORT", "0"), "context./osp.grace = 0"));
        assertEquals(List.of("The configuration has no fault."), lines());
    }

    @Test
    void filesOfTlsThatCannotBeReadAreFaultsOfTheirKeys() throws IOException {
        Path text = Files.writeString(folder.resolve("text"), "no certificate");
        String none = folder.resolve("none").toString();

        int code =
                check(
                        Map.of(),
                        "agent.tls.certificate = " + text,
                        "agent.tls.key = " + folder,
                        "agent.tls.trust = " + none,
                        "agent.tls.revoked = " + none,
                        "https.port = 1443",
                        "https.certificate = " + none,
                        "https.key = " + none,
                        "https.trust = " + none,
                        "https.revoked = " + none);

        assertEquals(1, code);
        String place = " (file " + folder.resolve("proxy.properties") + ":";
        List<String> lines = lines();
        assertEquals(8, lines.size(), lines.toString());
        assertEquals(
                "agent.tls.certificate = "
                        + text
                        + place
                        + "1): cannot be read: no CERTIFICATE in PEM form",
                lines.getFirst());
        assertTrue(
                lines.get(1)
                        .startsWith("agent.tls.key = " + folder + place + "2): cannot be read: "),
                lines.toString());
        for (String missing :
                List.of(
                        "agent.tls.trust = %s%s3): does not exist",
                        "agent.tls.revoked = %s%s4): does not exist",
                        "https.certificate = %s%s6): does not exist",
                        "https.key = %s%s7): does not exist",
                        "https.trust = %s%s8): does not exist",
                        "https.revoked = %s%s9): does not exist")) {
            String line = missing.formatted(none, place);
            assertTrue(lines.contains(line), line + " is not in " + lines);
        }
    }

    @Test
    void keysThatDoNotFitTheirCertificatesAreFaultsThatNameBoth() throws Exception {
        PemFolder pem = new PemFolder(folder);
        PemFolder.Pair one = pem.make("one", "EC");
        PemFolder.Pair other = pem.make("other", "RSA");
        Path certificate = pem.write("one.pem", one.certificate());
        Path key = pem.write("one.key", one.key());
        Path wrong = pem.write("other.key", other.key());
        String[] lines = {
            "agent.tls.certificate = " + certificate,
            "agent.tls.key = " + wrong,
            "agent.tls.client-certificates = none",
            "https.port = 1443",
            "https.certificate = " + certificate,
            "https.key = " + wrong
        };

        assertEquals(1, check(Map.of(), lines));

        String fault = "%s.key = %s (%s:%d): is not the key of %s.certificate = %s (%s:%d)";
        String place = "file " + folder.resolve("proxy.properties");
        String tls = "agent.tls";
        assertEquals(
                List.of(
                        fault.formatted(tls, wrong, place, 2, tls, certificate, place, 1),
                        fault.formatted("https", wrong, place, 6, "https", certificate, place, 5)),
                lines());
        lines[1] = "agent.tls.key = " + key;
        lines[5] = "https.key = " + key;
        assertEquals(0, check(Map.of(), lines), lines().toString());
    }

    @Test
    void filesOfTlsThatAreNotUsedOrYetToBeMadeAreNoFaults() throws IOException {
        int code =
                check(
                        Map.of(),
                        "agent.tls.key = none",
                        "agent.tls.trust = none",
                        "https.port = 1443",
                        "https.challenges = " + folder,
                        "https.certificate = none",
                        "https.key = none");

        assertEquals(0, code, lines().toString());
    }

    @Test
    void aBrokenCertificateIsAFaultAlsoWhileItsKeyIsYetToBeMade() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.pem"), "no certificate");
        int code =
                check(
                        Map.of(),
                        "https.port = 1443",
                        "https.challenges = " + folder,
                        "https.certificate = " + broken,
                        "https.key = none");

        assertEquals(1, code, lines().toString());
        String fault = lines().getFirst();
        assertTrue(fault.startsWith("https.certificate = " + broken), fault);
    }

    @Test
    void aMissingFileOfPeersIsAFaultOfItsKey() throws IOException {
        String none = folder.resolve("none").toString();

        assertEquals(1, check(Map.of(), "agent.port = 0", "agent.peers-file = " + none));

        String place = "file " + folder.resolve("proxy.properties") + ":2";
        assertEquals(
                List.of("agent.peers-file = " + none + " (" + place + "): does not exist"),
                lines());
    }

    @Test
    void unknownVariablesAreNoFaultAndToldInTheLastSentence() throws IOException {
        assertEquals(0, check(Map.of("LRWP_AGENT_PROT", "5")));
        assertEquals(
                "The configuration has no fault, but 1 unknown variable of the environment is not"
                        + " used.",
                lines().getLast());

        assertEquals(0, check(Map.of("LRWP_AGENT_PROT", "5", "LRWP_FRONTS", "edge")));
        assertEquals(
                "The configuration has no fault, but 2 unknown variables of the environment are not"
                        + " used.",
                lines().getLast());
    }

    @Test
    void aFileThatIsNotThereIsAFault() {
        Map<String, String> system = Map.of("lrwp.config", folder + "/none");
        PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8);

        assertEquals(1, ConfigurationCheck.run(out, Map.of(), system));
        assertEquals(List.of("there is no file " + folder + "/none"), lines());
    }

    @Test
    void aFolderInPlaceOfTheFileIsAFaultWithAReason() {
        Map<String, String> system = Map.of("lrwp.config", folder.toString());
        PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8);

        assertEquals(1, ConfigurationCheck.run(out, Map.of(), system));
        assertEquals(List.of("file " + folder + " cannot be read: Is a directory"), lines());
    }
}
