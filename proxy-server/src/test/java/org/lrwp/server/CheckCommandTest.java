package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command {@code check}. */
class CheckCommandTest {
    @TempDir Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return ProxyServer.run(print(out), print(err), arguments);
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String told(ByteArrayOutputStream by) {
        return by.toString(StandardCharsets.UTF_8);
    }

    @Test
    void wrongUseIsASentenceAndExitCode2() {
        assertEquals(2, run("check"));
        assertTrue(told(err).startsWith("lrwp: Missing required option: '--config=FILE'"));
    }

    @Test
    void anOptionThatDoesNotExistIsNamedAlone() {
        for (String line :
                List.of("check --confg px.properties", "check --confg=px.properties x")) {
            assertEquals(2, run(line.split(" ", -1)));
            assertEquals("lrwp: there is no option --confg: is --config meant?\n", told(err));
            err.reset();
        }
        assertEquals(2, run("--http-prot", "13097"));
        assertEquals("lrwp: there is no option --http-prot: is --http-port meant?\n", told(err));
        err.reset();
        assertEquals(2, run("identity", "create", "--qqq", "web"));
        assertEquals("lrwp: there is no option --qqq\n", told(err));
    }

    @Test
    void aWordTooManyIsToldAsBefore() {
        assertEquals(2, run("check", "--config", "px.properties", "more"));
        assertTrue(told(err).contains("'more'"), told(err));
    }

    @Test
    void certificatesThatTheProxyCanReadAreNoFault() {
        String config = folder.resolve("tls.properties").toString();
        String[] create = {
            "identity", "create", "web", "--contexts", "/a", "--config", config, "--certificate"
        };
        assertEquals(0, run(create), told(err));
        out.reset();

        assertEquals(0, run("check", "--config", config), told(out));
    }

    @Test
    void aCertificateThatHasEndedIsAWarningAndNoFault() throws Exception {
        Path ended = certificate("-startdate", "-40d", "-validity", "30");
        Path config =
                Files.writeString(folder.resolve("a.properties"), "https.trust = " + ended + "\n");

        assertEquals(0, run("check", "--config", config.toString()), told(out));
        String warning = "warning: https.trust: " + ended + " has ended on ";
        assertTrue(told(out).contains("has no fault.\n" + warning), told(out));
    }

    private Path certificate(String... dates) throws Exception {
        Path file = folder.resolve("ended.pem");
        String store = folder.resolve("store").toString();
        String pair = "-genkeypair -alias a -dname CN=a -keyalg EC -keypass changeit";
        keytool(store, (pair + " " + String.join(" ", dates)).split(" ", -1));
        keytool(store, "-exportcert", "-rfc", "-alias", "a", "-file", file.toString());
        return file;
    }

    private static void keytool(String store, String... what) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(what));
        command.addAll(List.of("-storepass", "changeit", "-keystore", store));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }

    @Test
    void helpSaysWhatIsCheckedAndTheExitCodes() {
        assertEquals(0, run("check", "--help"));
        assertTrue(told(out).contains("lrwp check --config FILE"), told(out));
        assertTrue(told(out).contains("1 with one"), told(out));
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "doctor", "identity create", "identity renew"})
    void helpHasNoShortLinesWithinAParagraph(String command) {
        assertEquals(0, run((command + " --help").split(" ", -1)), told(err));

        String paragraph = told(out).split("\\R\\R", -1)[0];
        List<String> lines =
                paragraph.lines().dropWhile(line -> line.matches("(Usage:|lrwp | ).*")).toList();
        for (String line : lines.subList(0, lines.size() - 1)) {
            assertTrue(line.length() > 60 && line.length() <= 80, paragraph);
        }
    }

    @Test
    void faultsAreNamedWithoutAContainer() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.properties"), "module.x.type = none\n");

        assertEquals(1, run("check", "--config", file.toString()));
        assertTrue(told(out).contains("module.x.type = none"), told(out));
        assertTrue(told(out).contains("download"), told(out));
    }
}
