package org.lrwp.systemtests.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code solaris-tuning/tune-glassfish} on a full GlassFish 8.0.0 domain that serves. */
final class GlassFishTuningIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String CONFIG = "configs.config.server-config.";
    private static final String HTTP =
            "network-config.protocols.protocol.http-listener-1.http.max-connections";

    @TempDir private static Path folder = Path.of("unset");
    private static int lrwpPort;
    private static GlassFishDomain domain;

    @BeforeAll
    static void startTheDomain() throws Exception {
        lrwpPort = FreePorts.one();
        domain = GlassFishDomain.start(folder, "agent.port=" + lrwpPort + "\n");
        Path war = Project.root().resolve("proxy-server/target/proxy-webapp.war");
        domain.remote("deploy", "--contextroot", "/", "--name", "lrwp", war.toString())
                .requireSuccess();
    }

    @AfterAll
    static void stopTheDomain() throws Exception {
        domain.stop();
    }

    /** One failure is one failure: the next test finds an untuned domain. */
    @AfterEach
    void undo() throws Exception {
        domain.tune("--undo");
    }

    @Test
    void tunedDomainServesAlsoWhenRestartedAndIsAsBeforeWhenUndone() throws Exception {
        try (LrwpPeer peer =
                LrwpPeer.builder()
                        .proxy("127.0.0.1:" + lrwpPort)
                        .context("/osp")
                        .concurrency(4)
                        .listener(event -> {})
                        .handler(request -> PeerResponse.text(200, "served"))
                        .connect()) {
            assertTrue(peer.awaitRegistered(SOON));
            requireServed();
            Map<String, String> before = attributes();
            var optionsBefore = jvmOptions();

            String said = domain.tune("--apply").requireSuccess().output();
            requireTuned(said);
            requireServed();
            assertTrue(said.contains("requests in flight have failed"), said);

            domain.tune("--apply", "--set", HTTP + "=1000").requireSuccess();
            assertEquals("1000", attributes().get(HTTP));
            domain.restart();
            // The peer has dialled again by itself, so the LRWP port is back.
            requireServed();
            requireContainersTransport();
            requireRunningWith("-Xmx1g", "-Xms1g", "-Xmn96m", "-XX:+UseParallelGC");

            domain.tune("--undo").requireSuccess();
            requireServed();
            assertEquals(before, attributes());
            assertEquals(optionsBefore, jvmOptions());
            assertFalse(Files.exists(folder.resolve("tuning.state")));
        }
    }

    /** GlassFish takes the settings of a command one by one up to the first that it refuses. */
    @Test
    void valueThatGlassFishRefusesIsNamed() throws Exception {
        Map<String, String> before = attributes();

        GlassFishDomain.Outcome outcome = domain.tune("--apply", "--set", HTTP + "=many");

        assertNotEquals(0, outcome.code());
        assertTrue(outcome.output().contains(HTTP + ": is 250, should be many"), outcome.output());
        domain.tune("--undo").requireSuccess();
        assertEquals(before, attributes());
    }

    /** Through the peer, over a connection of its own: listeners may just be starting again. */
    private static void requireServed() throws Exception {
        Wait.require(
                "a request is served by the peer",
                SOON,
                () -> {
                    try (RawHttp http = RawHttp.to(domain.httpPort())) {
                        return http.get("/osp/x").text().equals("served");
                    } catch (IOException listenerIsAway) {
                        return false;
                    }
                });
    }

    private static void requireContainersTransport() throws Exception {
        try (RawHttp http = RawHttp.to(domain.httpPort())) {
            String status = http.get("/-/status").text();
            assertTrue(status.contains("\"kind\":\"container http-listener-1\""), status);
        }
    }

    /** Every row of the table, read by GlassFish's own tool. */
    private static void requireTuned(String said) throws Exception {
        Map<String, String> now = attributes();
        var options = jvmOptions();
        for (List<String> row : table()) {
            String name = row.get(1);
            String value = row.get(2);
            if (row.getFirst().equals("set") && value.equals("cores")) {
                assertTrue(now.getOrDefault(name, "none").matches("[1-9][0-9]*"), said);
            } else if (row.getFirst().equals("set") && !value.equals("(none)")) {
                assertEquals(value, now.get(name), () -> name + "\n" + said);
            } else if (row.getFirst().equals("jvm") && value.equals("(absent)")) {
                String begin = name.substring(0, name.indexOf('*'));
                assertTrue(options.stream().noneMatch(one -> one.startsWith(begin)), said);
            } else if (row.getFirst().equals("jvm")) {
                assertTrue(options.contains(name.replace("*", value)), () -> name + "\n" + said);
            }
        }
    }

    private static List<List<String>> table() throws IOException {
        Path file = Project.root().resolve("solaris-tuning/settings/glassfish.md");
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("| "))
                .map(
                        line ->
                                Stream.of(line.substring(1).split("\\|", -1))
                                        .map(cell -> cell.replace("`", "").strip())
                                        .toList())
                .toList();
    }

    /** Attributes of the domain's configuration, without the JVM's options. */
    private static Map<String, String> attributes() throws Exception {
        return domain.remote("get", CONFIG + "*")
                .requireSuccess()
                .output()
                .lines()
                .filter(line -> line.startsWith(CONFIG))
                .map(line -> line.substring(CONFIG.length()))
                .filter(line -> !line.startsWith("java-config.jvm-options="))
                .collect(
                        Collectors.toMap(
                                line -> line.substring(0, line.indexOf('=')),
                                line -> line.substring(line.indexOf('=') + 1),
                                (one, other) -> one,
                                TreeMap::new));
    }

    private static Set<String> jvmOptions() throws Exception {
        return domain.remote("list-jvm-options")
                .requireSuccess()
                .output()
                .lines()
                .filter(line -> line.startsWith("-"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void requireRunningWith(String... options) throws Exception {
        String command = domain.commandLine();
        for (String option : options) {
            assertTrue(command.contains(option + " "), command);
        }
    }
}
