package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.cluster.ClusterConfig;
import org.lrwp.runtime.configuration.BadConfigurationException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The keys of a cluster, and what is wrong with them. */
class ClusterKeysTest {
    @TempDir Path folder;

    private static WebappConfig read(String... keys) throws BadConfigurationException {
        Map<String, String> system = new HashMap<>();
        for (int i = 0; i < keys.length; i += 2) {
            system.put("lrwp.cluster." + keys[i], keys[i + 1]);
        }
        return ConfigReader.read(Map.of(), system, null, "1");
    }

    private static void requireFault(String sentence, String... keys) {
        String message =
                String.valueOf(
                        assertThrows(BadConfigurationException.class, () -> read(keys))
                                .getMessage());
        assertTrue(message.contains(sentence), message);
    }

    private Path login(String text, String mode) throws Exception {
        Path file = Files.writeString(folder.resolve("login"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @Test
    void withoutServersThereIsNoCluster() throws Exception {
        assertNull(read("node", "a").cluster());
    }

    @Test
    void nodeHasServersNameAndLogin() throws Exception {
        Path file = login("proxy:a:b\n", "rw-------");
        ClusterConfig config =
                read(
                                "nats",
                                "nats://10.0.0.1:4222, tls://nats.example:4222",
                                "node",
                                "a",
                                "login-file",
                                file.toString(),
                                "body",
                                "0")
                        .cluster();

        assertNotNull(config);
        assertEquals(2, config.servers().size());
        assertEquals("lrwp", config.cluster());
        assertEquals(Duration.ofMillis(250), config.heartbeat());
        assertEquals(0, config.mostBody());
        assertEquals(new ClusterConfig.Login("proxy", "a:b"), config.access().login());
        assertNotNull(config.access().tls());
        assertTrue(!String.valueOf(config).contains("a:b"), "it tells the password");
    }

    @Test
    void whatIsMissingOrWrongIsNamed() throws Exception {
        String server = "nats://10.0.0.1:4222";
        requireFault("cluster.nats needs cluster.node", "nats", server);
        requireFault("cluster.nats = http://x", "nats", "http://x", "node", "a");
        requireFault("cluster.node = a.b", "nats", server, "node", "a.b");
        requireFault("cluster.body", "nats", server, "node", "a", "body", "1MiB");
        String open = login("u:p", "rw-r--r--").toString();
        requireFault("set its mode to 600", "nats", server, "node", "a", "login-file", open);
        String broken = login("nobody", "rw-------").toString();
        requireFault("is for servers with tls://", "nats", server, "node", "a", "tls.trust", "x");
        String inside = "tls://nats.example:4222";
        requireFault("belong together", "nats", inside, "node", "a", "tls.key", "x");
        requireFault("cluster.tls: ", "nats", inside, "node", "a", "tls.trust", "missing.pem");
        requireFault("is not USER:PASSWORD", "nats", server, "node", "a", "login-file", broken);
    }
}
