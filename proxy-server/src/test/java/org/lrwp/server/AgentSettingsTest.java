package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;

final class AgentSettingsTest {
    private final Properties none = new Properties();

    @TempDir private Path folder = Path.of("unset");

    @Test
    void withoutAnythingItIsTheLoopbackPort1081() throws StartFault {
        AgentSettings settings = AgentSettings.read(null, none, Map.of());

        assertEquals(Optional.of(lrwp("127.0.0.1", 1081)), settings.endpoint(OptionalInt.empty()));
    }

    @Test
    void systemPropertyOverridesEnvironmentOverridesFile() throws Exception {
        Path file = file("agent.port = 2001 \nagent.address=127.0.0.2\n");
        Properties system = new Properties();
        system.setProperty("lrwp.agent.port", "2003");
        Map<String, String> environment = Map.of("LRWP_AGENT_PORT", "2002");

        assertEquals(2001, port(AgentSettings.read(file, none, Map.of())));
        assertEquals(2002, port(AgentSettings.read(file, none, environment)));
        assertEquals(2003, port(AgentSettings.read(file, system, environment)));
    }

    @Test
    void optionOverridesThePortAndKeepsTheAddress() throws Exception {
        Path file = file("agent.port=2001\nagent.address=127.0.0.2\n");

        Optional<Endpoint> endpoint =
                AgentSettings.read(file, none, Map.of()).endpoint(OptionalInt.of(3000));

        assertEquals(Optional.of(lrwp("127.0.0.2", 3000)), endpoint);
    }

    @Test
    void portThatIsNoNumberIsLeftToTheApplication() throws Exception {
        Path file = file("agent.port=many\n");

        assertTrue(
                AgentSettings.read(file, none, Map.of()).endpoint(OptionalInt.empty()).isEmpty());
    }

    @Test
    void missingFileIsNamed() {
        Path missing = folder.resolve("missing.properties");

        String sentence =
                assertThrows(StartFault.class, () -> AgentSettings.read(missing, none, Map.of()))
                        .sentence();

        assertEquals("the configuration file " + missing + " does not exist", sentence);
    }

    @Test
    void folderInPlaceOfTheFileIsCalledThat() {
        String sentence =
                assertThrows(StartFault.class, () -> AgentSettings.read(folder, none, Map.of()))
                        .sentence();

        assertEquals(
                "the configuration file " + folder + " cannot be read: it is a folder", sentence);
    }

    @Test
    void unreadableFileIsNamed() throws IOException {
        Path broken = file("agent.port=\\u12\n");

        String sentence =
                assertThrows(StartFault.class, () -> AgentSettings.read(broken, none, Map.of()))
                        .sentence();

        assertTrue(sentence.contains(broken + " cannot be read"), sentence);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("lrwp.properties"), text);
    }

    private static int port(AgentSettings settings) {
        return settings.endpoint(OptionalInt.empty()).orElseThrow().port();
    }

    private static Endpoint lrwp(String address, int port) {
        return new Endpoint("LRWP", "--lrwp-port", address, port);
    }
}
