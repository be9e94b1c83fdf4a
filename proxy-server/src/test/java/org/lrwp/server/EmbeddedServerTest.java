package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.files.Rotation;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** What is found out before the container boots, and what a server that never ran does. */
final class EmbeddedServerTest {
    private final Logger root = LogManager.getLogManager().getLogger("");
    private final List<Handler> handlers = new ArrayList<>();
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final Properties properties = new Properties();

    @TempDir private Path folder = Path.of("unset");

    @BeforeEach
    void keepWhatAServerReplaces() {
        handlers.addAll(List.of(root.getHandlers()));
        properties.putAll(System.getProperties());
    }

    @AfterEach
    void putItBack() {
        Stream.of(root.getHandlers()).forEach(root::removeHandler);
        handlers.forEach(root::addHandler);
        System.setOut(out);
        System.setErr(err);
        System.setProperties(properties);
    }

    @Test
    void missingApplicationIsNamed() throws Exception {
        Path missing = folder.resolve("missing.war");

        String sentence = faultOf(server(missing, Ports.free(), Ports.free(), null));

        assertEquals("the web application " + missing + " is missing: build it first", sentence);
    }

    @Test
    void portOfTheConfigurationMayNotBeTheHttpPort() throws Exception {
        int port = Ports.free();
        Path config = Files.writeString(folder.resolve("lrwp.properties"), "agent.port=" + port);

        String sentence = faultOf(server(war(), port, null, config));

        assertTrue(sentence.contains("are both " + port), sentence);
    }

    @Test
    void portOfHttpsMayBeNoOther() throws Exception {
        int port = Ports.free();
        Path config = Files.writeString(folder.resolve("lrwp.properties"), "https.port=" + port);

        String http = faultOf(server(war(), port, Ports.free(), config));
        String lrwp = faultOf(server(war(), Ports.free(), port, config));

        String end = " port and the HTTPS port are both %d: choose another with ".formatted(port);
        assertEquals("the HTTP" + end + "--http-port or --https-port", http);
        assertEquals("the LRWP" + end + "--lrwp-port or --https-port", lrwp);
    }

    @Test
    void filesOfHttpsNeedAPort() throws Exception {
        System.setProperty("lrwp.https.port", "0");
        EmbeddedServer server =
                server(
                        war(),
                        Ports.free(),
                        Ports.free(),
                        null,
                        Map.of("lrwp.https.certificate", "a.pem"));

        assertEquals(
                "--https-certificate needs --https-port, or https.port of the configuration",
                faultOf(server));
    }

    @Test
    void configurationMayBeNamedByASystemProperty() throws Exception {
        try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path config =
                    Files.writeString(
                            folder.resolve("lrwp.properties"),
                            "agent.port=" + other.getLocalPort());
            System.setProperty("lrwp.config", config.toString());

            String sentence = faultOf(server(war(), Ports.free(), null, null));

            assertTrue(sentence.contains("LRWP port 127.0.0.1:" + other.getLocalPort()), sentence);
        }
    }

    @Test
    void takenHttpPortIsToldBeforeAnythingElseStarts() throws Exception {
        try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String sentence = faultOf(server(war(), other.getLocalPort(), Ports.free(), null));

            assertTrue(sentence.contains("HTTP port 127.0.0.1:" + other.getLocalPort()), sentence);
        }
        try (Stream<Path> made = Files.list(folder)) {
            assertEquals(List.of("proxy.war"), made.map(p -> p.getFileName().toString()).toList());
        }
    }

    @Test
    void signalBeforeTheStartEndsIt() throws Exception {
        EmbeddedServer server = server(war(), Ports.free(), Ports.free(), null);
        server.drain();
        server.close();
        server.close();

        assertEquals("the server was stopped while it started", faultOf(server));
    }

    private static String faultOf(EmbeddedServer server) {
        return assertThrows(StartFault.class, server::start).sentence();
    }

    private Path war() throws IOException {
        return Files.writeString(folder.resolve("proxy.war"), "");
    }

    private EmbeddedServer server(Path war, int http, @Nullable Integer lrwp, @Nullable Path config)
            throws StartFault {
        return server(war, http, lrwp, config, Map.of("lrwp.front", "servlet"));
    }

    private EmbeddedServer server(
            Path war,
            int http,
            @Nullable Integer lrwp,
            @Nullable Path config,
            Map<String, String> values)
            throws StartFault {
        var settings =
                new ServerSettings(
                        new Endpoint("HTTP", "--http-port", "127.0.0.1", http),
                        1,
                        false,
                        lrwp == null ? OptionalInt.empty() : OptionalInt.of(lrwp),
                        values,
                        config,
                        Duration.ZERO,
                        false,
                        war,
                        folder);
        return new EmbeddedServer(
                settings, ServerLog.install(out, null, new Rotation(0, false, 1)));
    }
}
