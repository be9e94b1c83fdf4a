package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** What a node must not be given. */
class ClusterConfigTest {
    private static ClusterConfig config(
            List<URI> servers, String cluster, String node, int away, int body) {
        return new ClusterConfig(
                servers,
                cluster,
                node,
                ClusterConfig.Access.OPEN,
                Duration.ofMillis(250),
                Duration.ZERO,
                away,
                body,
                null);
    }

    @ParameterizedTest
    @CsvSource({"'', a, 1, 0", "c, 'a.b', 1, 0", "c, a, 0, 0", "c, a, 1, -1"})
    void wrongValuesAreRefused(String cluster, String node, int away, int body) {
        List<URI> servers = List.of(URI.create("nats://127.0.0.1:4222"));
        assertThrows(
                IllegalArgumentException.class, () -> config(servers, cluster, node, away, body));
    }

    @Test
    void serverIsNeeded() {
        assertThrows(IllegalArgumentException.class, () -> config(List.of(), "c", "a", 1, 0));
    }

    @Test
    void namesAreOneWordOfASubject() {
        assertTrue(ClusterConfig.isName("web-1_b"));
        assertFalse(ClusterConfig.isName("a*"));
        assertFalse(ClusterConfig.isName("x".repeat(65)));
    }
}
