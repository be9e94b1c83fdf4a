package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.identity.Identity;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.BadConfigurationException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The file of identities: docs/configuration.md, Peers and identities. */
class PeersFileTest {
    private static final String DIGITS = "0123456789abcdef".repeat(4);

    @TempDir private Path folder;
    private Path file;
    private Path key;

    @BeforeEach
    void aKey() throws IOException {
        file = folder.resolve("peers");
        key = own("billing.key", DIGITS + "\n");
    }

    private Path own(String name, String text) throws IOException {
        Path path = Files.writeString(folder.resolve(name), text);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        return path;
    }

    private PeersFile open(String... lines) throws Exception {
        write(lines);
        return PeersFile.open(file);
    }

    private void write(String... lines) throws IOException {
        Files.write(file, List.of(lines));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private String fault(String... lines) {
        return String.valueOf(
                assertThrows(BadConfigurationException.class, () -> open(lines)).getMessage());
    }

    private String keyLine() {
        return "peer.billing.key.2026a = " + key;
    }

    @Test
    void identityIsAllThatItsLinesSay() throws Exception {
        Map<String, Identity> all =
                open(
                                "# those that may",
                                keyLine(),
                                "peer.billing.key.2026b = " + own("next.key", "ab".repeat(40)),
                                "peer.billing.contexts = /osp, /tep/**",
                                "peer.billing.hosts = OSP.example.org",
                                "peer.billing.networks = 10.1.0.0/16",
                                "peer.billing.connections = 8",
                                "peer.billing.capacity = 512",
                                "peer.billing.not-after = 2027-01-01",
                                "peer.billing.user = billing, gateway",
                                "peer.cgi.protocol = 1",
                                "peer.cgi.networks = 127.0.0.1",
                                "peer.cgi.contexts = /cgi-bin",
                                "peer.old.protocol = 2",
                                "peer.old.secret-file = " + own("old.secret", "geheim\n"),
                                "peer.old.contexts = .php")
                        .identities()
                        .get();

        assertEquals(Set.of("billing", "cgi", "old"), all.keySet());
        Identity billing = all.get("billing");
        assertNotNull(billing);
        assertEquals(IdentityKey.parse(DIGITS), billing.key("2026a"));
        assertNotNull(billing.key("2026b"));
        assertTrue(billing.scope().permits("/osp", "osp.EXAMPLE.org"));
        assertTrue(billing.scope().permits("/tep/x", "osp.example.org"));
        assertFalse(billing.scope().permits("/osp/x", "osp.example.org"));
        assertFalse(billing.scope().permits("/osp", ""));
        assertTrue(billing.hasUser("gateway"));
        assertFalse(billing.hasUser("root"));
        assertEquals(List.of(Network.parse("10.1.0.0/16")), billing.networks());
        assertEquals(8, billing.maxConnections());
        assertEquals(512, billing.maxCapacity());
        assertTrue(billing.isValidAt(Instant.parse("2027-01-01T23:59:59Z")));
        assertFalse(billing.isValidAt(Instant.parse("2027-01-02T00:00:00Z")));
        assertInstanceOf(Identity.Proof.Address.class, identity(all, "cgi").proof());
        assertInstanceOf(Identity.Proof.SharedSecret.class, identity(all, "old").proof());
    }

    private static Identity identity(Map<String, Identity> all, String name) {
        Identity identity = all.get(name);
        assertNotNull(identity);
        return identity;
    }

    @Test
    void aFileThatEverybodyMayReplaceDecidesNothing() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        String fault = fault(keyLine(), "peer.billing.contexts = /osp");
        assertTrue(fault.contains("everybody may replace files"), fault);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "peer.a.contexts = /a|peer.a: protocol 3 needs a key.ID, certificate or user",
                "peer.billing.contexts = /a/|contexts as /osp",
                "peer.billing.contexts = /a*|contexts as /osp",
                "peer.billing.contexts = .php/**|contexts as /osp",
                "peer.billing.contexts =|peer.billing.contexts must be set",
                "peer.billing.connections = 3|peer.billing.contexts must be set",
                "peer.billing.not-after = tomorrow|a day as 2027-01-31",
                "peer.billing.networks = 10.0.0.0/40|networks as",
                "peer.billing.hosts = a.example, bad host|host names or addresses",
                "peer.billing.hosts = a.example:8080|host names or addresses",
                "peer.billing.hosts = *.example|host names or addresses",
                "peer.billing.colour = blue|unknown key peer.billing.colour",
                "peer.billing.conections = 3|conections: is peer.billing.connections meant?",
                "peer.billing = blue|peer.billing",
                "colour = blue|unknown key colour",
                "peer.billing.protocol = 4|1 or 2 or 3",
                "peer.billing.protocol = 2|needs a secret-file",
                "peer.billing.secret-file = /x|has no secret-file",
                "peer.anonymous.contexts = /x|protocol 3 needs a key.ID",
                "peer.billing.key.a/b = /x|the id of a key is",
            })
    void faultNamesTheLineAndWhatIsAllowed(String line, String text) {
        String told =
                line.startsWith("peer.billing.contexts") || line.contains("connections")
                        ? fault(keyLine(), line)
                        : fault(keyLine(), "peer.billing.contexts = /ok", line);

        assertTrue(told.contains(text), told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123456789abcdef", "no hexadecimal digits at all", ""})
    void keyThatIsTooShortIsRefusedWhenItIsReadAndNotShown(String text) throws Exception {
        key = own("short.key", text);

        String told = fault(keyLine(), "peer.billing.contexts = /osp");

        assertTrue(told.contains("peer.billing.key.2026a"), told);
        assertFalse(!text.isEmpty() && told.contains(text), told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw-----w-", "rwx------"})
    void keyThatOthersMayTouchIsRefused(String mode) throws Exception {
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(mode));

        String told = fault(keyLine(), "peer.billing.contexts = /osp");

        assertTrue(told.contains("set its mode to 600"), told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw----", "rw----rw-"})
    void fileThatOthersMayChangeIsRefused(String mode) throws Exception {
        write(keyLine(), "peer.billing.contexts = /osp");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));

        String told =
                String.valueOf(
                        assertThrows(BadConfigurationException.class, () -> PeersFile.open(file))
                                .getMessage());

        assertTrue(told.contains("others than its owner may change " + file), told);
    }

    @Test
    void changeOfTheFileIsTakenAndAFaultInItKeepsAllOldIdentities() throws Exception {
        PeersFile peers = open(keyLine(), "peer.billing.contexts = /osp");
        int[] changes = {0};
        peers.identities().onChange(() -> changes[0]++);

        write(keyLine(), "peer.billing.contexts = /osp, /tep");
        peers.configuration().readFile();
        assertEquals(1, changes[0]);
        assertTrue(identity(peers.identities().get(), "billing").scope().permits("/tep", ""));

        write(keyLine(), "peer.billing.contexts = /osp", "peer.billing.capacity = many");
        assertThrows(BadConfigurationException.class, () -> peers.configuration().readFile());
        assertEquals(1, changes[0]);
        assertTrue(identity(peers.identities().get(), "billing").scope().permits("/tep", ""));
        assertTrue(peers.configuration().refusal().contains("peer.billing.capacity = many"));

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        write(keyLine(), "peer.billing.contexts = /osp");
        peers.configuration().readFile();
        assertEquals(2, changes[0]);
        assertFalse(identity(peers.identities().get(), "billing").scope().permits("/tep", ""));
    }

    @Test
    void missingFileIsAFault() {
        String told =
                String.valueOf(
                        assertThrows(BadConfigurationException.class, () -> PeersFile.open(file))
                                .getMessage());

        assertTrue(told.contains("there is no file"), told);
    }
}
