package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
