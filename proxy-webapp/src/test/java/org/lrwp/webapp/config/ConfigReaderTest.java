package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.engine.identity.Secret;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.BadConfigurationException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

class ConfigReaderTest {
    @TempDir Path folder;

    private WebappConfig read(Map<String, String> system) throws BadConfigurationException {
        return ConfigReader.read(Map.of(), system, folder, "1.0");
    }

    private WebappConfig readFile(String text) throws BadConfigurationException, IOException {
        Files.writeString(folder.resolve("lrwp.properties"), text);
        return read(Map.of());
    }

    private String faults(Map<String, String> system) {
        return String.valueOf(
                assertThrows(BadConfigurationException.class, () -> read(system)).getMessage());
    }

    @Test
    void withoutAnySettingTheDefaultsHold() throws BadConfigurationException {
        WebappConfig config = ConfigReader.read(Map.of(), Map.of(), null, "1.0");

        assertEquals(1081, config.engine().agent().port());
        assertTrue(config.engine().agent().address().isLoopbackAddress());
        assertEquals(Network.LOOPBACK, config.engine().agent().networks());
        assertEquals(10_000, config.engine().agent().limits().connections());
        var context = config.engine().contexts().of("/osp");
        assertEquals(1000, context.queueLength());
        assertEquals(Duration.ofSeconds(10), context.exchange().queueTime());
        assertEquals(Duration.ofSeconds(10), context.grace());
        assertEquals(Duration.ofSeconds(60), context.peer().responseTime());
        assertEquals(999_999_999, context.exchange().maxBody());
        assertFalse(context.named());
        assertTrue(config.accessLog().lines().enabled());
        assertTrue(config.engine().ioThreads() >= 1);
    }

    @Test
    void laterSourceWins() throws Exception {
        Files.writeString(
                folder.resolve("lrwp.properties"),
                "agent.port = 1\nagent.max-peers = 2\nagent.lrwp1-settle = 0\n");
        var environment = Map.of("LRWP_AGENT_PORT", "3", "LRWP_AGENT_MAX_PEERS", "4", "HOME", "/");

        var config = ConfigReader.read(environment, Map.of("lrwp.agent.port", "5"), folder, "1.0");

        assertEquals(5, config.engine().agent().port());
        assertEquals(4, config.engine().agent().limits().connections());
        assertEquals(Duration.ZERO, config.engine().agent().settle());
    }

    @Test
    void systemPropertyNamesTheFile() throws Exception {
        Path file = Files.writeString(folder.resolve("other"), "agent.port = 7");

        assertEquals(7, read(Map.of("lrwp.config", file.toString())).engine().agent().port());
    }

    @Test
    void namedFileThatIsMissingIsAFault() {
        String message = faults(Map.of("lrwp.config", folder + "/none"));

        assertTrue(message.contains("none"), message);
        assertTrue(message.contains("there is no file"), message);
    }

    @Test
    void aMissingFileOfPeersIsAFaultOfItsKey() {
        String none = folder.resolve("none").toString();
        assertEquals(
                "agent.peers-file = "
                        + none
                        + " (system property lrwp.agent.peers-file): does not exist",
                faults(Map.of("lrwp.agent.peers-file", none)));
    }

    @Test
    void allFaultsAreListedAtOnceWithTheirOrigin() throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("lrwp.properties"),
                        "agent.prot = 1\ncontext.grace = soon\n");

        String message = faults(Map.of("lrwp.agent.port", "70000"));

        assertEquals(3, message.split("; ").length, message);
        assertTrue(
                message.contains(
                        "unknown key agent.prot (file " + file + ":1): is agent.port meant?"),
                message);
        assertTrue(message.contains("context.grace = soon (file " + file + ":2)"), message);
        assertTrue(
                message.contains("agent.port = 70000 (system property lrwp.agent.port)"), message);
        assertTrue(message.contains("a number, 0 to 65535"), message);
    }

    @Test
    void aGroupOfTheSocketNeedsAModeThatLetsItIn() throws BadConfigurationException {
        Map<String, String> set = new HashMap<>();
        set.put("lrwp.agent.socket", "/run/lrwp.sock");
        set.put("lrwp.agent.socket-group", "web");
        assertTrue(faults(set).contains("agent.socket-group needs agent.socket-mode = 660"));
        set.put("lrwp.agent.socket-mode", "660");
        assertEquals("web", Objects.requireNonNull(read(set).socket()).group());
    }

    @Test
    void theEdgeNeedsTheContainersThreads() throws BadConfigurationException {
        assertEquals(Front.EDGE, read(Map.of("lrwp.front", "direct")).front());
        String message = faults(Map.of("lrwp.front", "direct", "lrwp.agent.transport", "own"));
        assertTrue(message.contains("front = edge needs agent.transport = auto"), message);
    }

    @Test
    void aCacheTooSmallForItsLargestAnswerIsAFaultOfBothKeys() throws BadConfigurationException {
        String message = faults(Map.of("lrwp.cache.size", "1MiB"));
        assertTrue(
                message.contains("cache.size = 1048576 does not go with cache.largest-answer = "),
                message);
        read(Map.of("lrwp.cache.size", "1MiB", "lrwp.cache.largest-answer", "8KiB"));
    }

    @Test
    void aProxyHeaderNeedsTheStrictReader() throws BadConfigurationException {
        assertFalse(read(Map.of()).request().client().proxyProtocol());
        assertTrue(
                read(Map.of("lrwp.client.proxy-protocol", "on"))
                        .request()
                        .client()
                        .proxyProtocol());
        String fault = "client.proxy-protocol = on needs strict-http = true";
        for (String[] other :
                new String[][] {
                    {"lrwp.strict-http", "false"}, {"lrwp.agent.transport", "own"},
                }) {
            String message = faults(Map.of("lrwp.client.proxy-protocol", "on", other[0], other[1]));
            assertTrue(message.contains(fault), message);
        }
    }

    @Test
    void keySetTwiceIsAFault() {
        String message =
                String.valueOf(
                        assertThrows(
                                        BadConfigurationException.class,
                                        () -> readFile("agent.port = 1\nagent.port = 2\n"))
                                .getMessage());

        assertTrue(message.contains("agent.port is set again at "), message);
    }

    @Test
    void brokenFileIsAFault() {
        assertThrows(BadConfigurationException.class, () -> readFile("agent.port = \\u00zz"));
    }

    @Test
    void unknownEnvironmentOnlyWarns() throws BadConfigurationException {
        var config =
                ConfigReader.read(
                        Map.of("LRWP_WHAT", "1", "LRWP_SECRETS", "/a=b"), Map.of(), null, "1.0");

        assertEquals(List.of("LRWP_WHAT"), config.unknownVariables());
    }

    @Test
    void contextCanHaveItsOwnLimits() throws Exception {
        var config =
                readFile(
                        """
                        context.response-timeout = 20s
                        context./osp.response-timeout = 5s
                        context./a.b/c.grace = 0
                        context..ext.queue-length = 3
                        context./.queue-time = 1m
                        ready-contexts = /tep
                        """);

        var contexts = config.engine().contexts();
        assertEquals(Duration.ofSeconds(5), contexts.of("/osp").peer().responseTime());
        assertEquals(Duration.ofSeconds(20), contexts.of("/tep").peer().responseTime());
        assertEquals(Duration.ZERO, contexts.of("/a.b/c").grace());
        assertEquals(3, contexts.of(".ext").queueLength());
        assertEquals(Duration.ofMinutes(1), contexts.of("/").exchange().queueTime());
        assertEquals(Set.of("/osp", "/a.b/c", ".ext", "/", "/tep"), contexts.named().keySet());
        assertTrue(contexts.of("/tep").named());
        assertEquals(Set.of("/tep"), config.status().readyContexts());
    }

    @ParameterizedTest
    @CsvSource({
        "context.osp.grace, 1s",
        "context./-.grace, 1s",
        "context./-/x.grace, 1s",
        "context..grace, 1s",
        "context./osp.no-such, 1s",
        "context.grace, -1s",
        "context.grace, 1",
        "context.grace, 1 s",
        "context.grace, 1w",
        "context.grace, 99999999999s",
        "agent.registration-time, 0",
        "context.request-body, 1GB",
        "context.request-body, 1GiB",
        "context.request-body, x",
        "request.head, 1",
        "agent.port, +5",
        "agent.port, ''",
        "agent.max-peers, 0",
        "agent.address, ''",
        "agent.networks, 10.0.0.0/33",
        "agent.networks, localhost",
        "agent.allowed-contexts, osp",
        "ready-contexts, /-/status",
        "ready-contexts, /osp/",
        "agent.allowed-contexts, /osp/**",
        "access-log.enabled, yes",
        "access-log.format, xml",
        "spool.folder, /no/such/folder",
        "spool.memory-total, 99999999999GiB",
    })
    void badValueIsAFault(String key, String value) {
        assertTrue(faults(Map.of("lrwp." + key, value)).contains(key.split("\\.", 2)[0]));
    }

    @Test
    void aContextIsSpelledAsPeersAreKnown() {
        String faults = faults(Map.of("lrwp.context./osp/.queue-length", "7"));

        assertTrue(faults.contains("a context as /osp, .ext or /"), faults);
    }

    @Test
    void aPartOfASecondBetweenPingsIsOneAndNotNever() throws BadConfigurationException {
        WebappConfig config = read(Map.of("lrwp.agent.ping-time", "500ms"));

        assertEquals(1, config.engine().agent().lrwp3().settings().pingSeconds());
    }

    @ParameterizedTest
    @CsvSource({"100ms,100", "10s,10000", "5m,300000", "1h,3600000", "0,0", "0s,0"})
    void durationsHaveUnits(String text, long millis) throws BadConfigurationException {
        var config = read(Map.of("lrwp.context.grace", text));

        assertEquals(Duration.ofMillis(millis), config.engine().contexts().of("/x").grace());
    }

    @ParameterizedTest
    @CsvSource({"4096,4096", "4096B,4096", "64KiB,65536", "1MiB,1048576", "0,0"})
    void sizesHaveUnits(String text, long bytes) throws BadConfigurationException {
        var config = read(Map.of("lrwp.spool.memory-per-body", text));

        assertEquals(bytes, config.engine().spool().memoryPerBody());
    }

    @Test
    void addressThatOthersReachNeedsNetworks() throws BadConfigurationException {
        String message = faults(Map.of("lrwp.agent.address", "0.0.0.0"));

        assertTrue(message.contains("set agent.networks"), message);
        var config =
                read(
                        Map.of(
                                "lrwp.agent.address", "0.0.0.0",
                                "lrwp.agent.networks", "10.0.0.0/8, ::1"));
        assertEquals(2, config.engine().agent().networks().size());
    }

    @Test
    void secretsComeFromAFileThatOnlyItsOwnerReads() throws Exception {
        Path file = Files.writeString(folder.resolve("secrets"), "/osp = key one\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        var config = read(Map.of("lrwp.secrets-file", file.toString()));

        var key = new Secret("key one".getBytes(StandardCharsets.UTF_8));
        assertEquals(Map.of("/osp", key), config.engine().agent().access().secrets());
        assertFalse(config.toString().contains("key one"));
    }

    @Test
    void secretsFileThatOthersReadIsAFault() throws IOException {
        Path file = Files.writeString(folder.resolve("secrets"), "/osp = key one\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        String message = faults(Map.of("lrwp.secrets-file", file.toString()));

        assertTrue(message.contains("600"), message);
        String missing = faults(Map.of("lrwp.secrets-file", folder + "/none"));
        assertTrue(missing.contains("/none cannot be read: does not exist"), missing);
    }

    @Test
    void faultsBetweenValuesAndInFilesSayWhereTheValuesStand() throws IOException {
        Path file = folder.resolve("lrwp.properties");
        Files.writeString(
                file,
                """
                context./osp.cache = true
                context.error-pages = 503 /nonexist.html
                context./osp.error-pages = 503 /nonexist.html
                secrets-file = /nonexist
                agent.tls.certificate = /server.pem
                agent.tls.key = /server.key
                cluster.nats = nats://10.0.0.1:4222
                cluster.node = a.b
                cluster.secret-file = /nonexist
                admin.token-file = /nonexist
                operator.erika.certificate = CN=erika
                module.a.type =
                module.a.context = no
                context./other.queue-length = 7
                """);

        String message = faults(Map.of());

        for (String fault :
                List.of(
                        "context./osp.cache = true needs cache.file (file %s:1)",
                        "context.error-pages: /nonexist.html cannot be read: does not exist"
                                + " (file %s:2)",
                        "context./osp.error-pages: /nonexist.html cannot be read: does not exist"
                                + " (file %s:3)",
                        "secrets-file: /nonexist cannot be read: does not exist (file %s:4)",
                        "agent.tls.client-certificates needs agent.tls.trust (file %s:5)",
                        "cluster.node = a.b (file %s:8)",
                        "cluster.secret-file: /nonexist does not exist (file %s:9)",
                        "admin.token-file: /nonexist does not exist (file %s:10)",
                        "operator.erika.certificate needs https.client-certificates (file %s:11)",
                        "module.a.type must be set (file %s:12)",
                        "module.a.context = no (file %s:13)")) {
            assertTrue(message.contains(fault.formatted(file)), message);
        }
        assertFalse(message.contains("/other"), message);
        assertFalse(message.contains("needs cluster.node"), message);
        assertFalse(message.contains("module.a.context must be set"), message);
    }

    @Test
    void secretsComeFromTheEnvironmentAndAreNeverTold() throws BadConfigurationException {
        var config =
                ConfigReader.read(
                        Map.of("LRWP_SECRETS", "/osp=a=b, .ext=c"), Map.of(), null, "1.0");
        assertEquals(Set.of("/osp", ".ext"), config.engine().agent().access().secrets().keySet());

        for (String bad : List.of("hush", "osp=hush", "/osp=hush,/tep= ")) {
            String message =
                    String.valueOf(
                            assertThrows(
                                            BadConfigurationException.class,
                                            () ->
                                                    ConfigReader.read(
                                                            Map.of("LRWP_SECRETS", bad),
                                                            Map.of(),
                                                            null,
                                                            "1.0"))
                                    .getMessage());
            assertFalse(message.contains("hush"), message);
            assertTrue(message.contains("LRWP_SECRETS"), message);
        }
    }

    @Test
    void placesOfLogsAndBodiesCanBeSet() throws BadConfigurationException {
        var config =
                read(
                        Map.of(
                                "lrwp.access-log.file",
                                folder + "/access.log",
                                "lrwp.access-log.format",
                                "json",
                                "lrwp.agent.io-threads",
                                "3",
                                "lrwp.spool.folder",
                                folder.toString()));

        assertEquals(folder.resolve("access.log"), config.accessLog().lines().file());
        assertTrue(config.accessLog().lines().json());
        assertEquals(3, config.engine().ioThreads());
        assertEquals(folder, config.engine().spool().folder());
    }
}
