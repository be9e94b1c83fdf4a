package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.server.training.TrainingLoad;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The program as users run it: the built jar with the proxy's web application beside it. */
final class ProxyServerIT {
    private static final int SIGTERM_EXIT = 143;

    @TempDir private Path folder = Path.of("unset");

    /** What a start cache is made of: docs/performance.md, "Start". */
    @Test
    void eachRequestOfTheTrainingIsAnsweredAsItShouldBe() throws Exception {
        int http = Ports.free();
        int lrwp = Ports.free();
        try (ServerProcess server = start(http, lrwp)) {
            server.awaitOutput("is ready after");

            Map<Integer, Integer> answers =
                    TrainingLoad.send(http, lrwp, 32, 32_000, Duration.ofMinutes(1));

            // Of 1,000 requests of each client ten are for nobody or refused.
            assertEquals(Map.of(200, 31_680, 400, 64, 404, 256), answers);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theWarmUpIsToldOnceAndLeavesNothing() throws Exception {
        String http = Integer.toString(Ports.free());
        String lrwp = Integer.toString(Ports.free());
        try (ServerProcess server =
                        ServerProcess.start(
                                folder,
                                "--http-port",
                                http,
                                "--lrwp-port",
                                lrwp,
                                "--warm-up",
                                "300");
                HttpClient client = HttpClient.newHttpClient()) {
            server.awaitOutput("is ready after");

            String output = server.output();
            assertTrue(
                    Pattern.compile(" warmed-up requests=[1-9][0-9]* milliseconds=300\n")
                            .matcher(output)
                            .find(),
                    output);
            assertEquals(List.of(), notOurs(output));
            assertFalse(output.contains("/train"), output);
            assertEquals(2, server.listeners(), "HTTP and LRWP, nothing else");
            String metrics = get(client, Integer.parseInt(http), "/-/metrics", 1).body();
            assertTrue(metrics.contains("lrwp_"), metrics);
            assertFalse(metrics.contains("/train"), metrics);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void servesTheProxyQuietlyAndStopsInOrder() throws Exception {
        int http = Ports.free();
        int lrwp = Ports.free();
        Path log = folder.resolve("proxy.log");
        try (ServerProcess server = start(http, lrwp, "--log-file", log.toString())) {
            server.awaitOutput("is ready after");

            answersAreBareAndHeadsMayBeLong(http);
            assertEquals(2, server.listeners(), "HTTP and LRWP, nothing else");
            server.terminate();

            assertEquals(SIGTERM_EXIT, server.exitCode());
            assertEquals("", server.errors());
            assertTrue(
                    server.output().contains("programs dial  127.0.0.1:" + lrwp), server.output());
            assertEquals(List.of(), notOurs(server.output()));
            assertTrue(
                    server.output().indexOf("server-stopping")
                            < server.output().indexOf("server-stopped"),
                    server.output());
            assertEquals(List.of(), leftOver());
            assertTrue(Files.readString(log).contains("server-stopped"));
        }
    }

    private static void answersAreBareAndHeadsMayBeLong(int port) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build()) {
            HttpResponse<String> status = get(client, port, "/-/status", 31 * 1024);
            assertEquals(200, status.statusCode());
            assertFalse(status.headers().firstValue("Server").isPresent());
            assertFalse(status.headers().firstValue("X-Powered-By").isPresent());
            assertEquals(404, get(client, port, "/none", 1).statusCode());
            assertEquals(431, get(client, port, "/-/status", 33 * 1024).statusCode());
        }
    }

    private static HttpResponse<String> get(HttpClient client, int port, String path, int bytes)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .version(HttpClient.Version.HTTP_1_1)
                        .header("X-Long", "x".repeat(bytes))
                        .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void containerOpensNoPortAndStopsWithTheServer() throws Exception {
        int http = Ports.free();
        try (ServerProcess server = start(http, Ports.free());
                HttpClient client = HttpClient.newHttpClient()) {
            server.awaitOutput("is ready after");
            HttpResponse<String> page = get(client, http, "/index.html", 1);

            assertEquals(200, page.statusCode());
            assertTrue(page.body().contains("<html"), page.body());
            server.awaitOutput("container-started");
            assertEquals(2, server.listeners(), "HTTP and LRWP, nothing else");
            assertEquals(1, leftOver().size(), "the container's folder: " + leftOver());
            server.terminate();

            assertEquals(SIGTERM_EXIT, server.exitCode());
            assertEquals("", server.errors());
            assertEquals(List.of(), notOurs(server.output()));
            assertEquals(List.of(), leftOver());
        }
    }

    @Test
    void containerMayBeThereBeforeTheFirstClient() throws Exception {
        int http = Ports.free();
        try (ServerProcess server = start(http, Ports.free(), "--container", "start");
                HttpClient client = HttpClient.newHttpClient()) {
            server.awaitOutput("is ready after");

            assertTrue(server.output().contains("container-started"), server.output());
            assertEquals(200, get(client, http, "/index.html", 1).statusCode());
            // Pages of the container's administration, which it has as long as nobody removes them.
            for (String path : List.of("/management", "/monitoring", "/command")) {
                assertEquals(404, get(client, http, path, 1).statusCode(), path);
            }
            server.terminate();
            assertEquals(SIGTERM_EXIT, server.exitCode());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void sigHupOpensAllLogsAnewAndTheAuditLogSaysWhoRegistered() throws Exception {
        int lrwp = Ports.free();
        Path log = folder.resolve("proxy.log");
        Path access = folder.resolve("access.log");
        Path audit = folder.resolve("audit.log");
        Path config =
                Files.writeString(
                        folder.resolve("logs.properties"),
                        "access-log.file=%s\naudit-log.file=%s\n".formatted(access, audit));
        try (ServerProcess server =
                start(
                        Ports.free(),
                        lrwp,
                        "--log-file",
                        log.toString(),
                        "--config",
                        config.toString())) {
            server.awaitOutput("is ready after");
            for (Path file : List.of(log, access, audit)) {
                Files.move(file, Path.of(file + ".renamed"));
            }
            String pid = Long.toString(server.pid());
            assertEquals(0, new ProcessBuilder("kill", "-HUP", pid).start().waitFor());
            server.awaitOutput("access-log-reopened");
            server.awaitOutput("audit-log-reopened");
            try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), lrwp)) {
                peer.getOutputStream().write("osp\u00ff\u00ff".getBytes(ISO_8859_1));
                assertEquals("OK", new String(peer.getInputStream().readNBytes(2), ISO_8859_1));
            }
            server.terminate();
            assertEquals(SIGTERM_EXIT, server.exitCode());
        }
        List<String> lines = Files.readAllLines(audit);
        assertTrue(
                lines.getFirst()
                        .matches(
                                "audit time=\\S+ action=registered wanted=register"
                                        + " verdict=allowed identity=\"anonymous\""
                                        + " address=127\\.0\\.0\\.1:\\d+ certificate=-"
                                        + " subject=\"/osp\" policy=[0-9a-f]{12}"
                                        + " detail=\"version=1\\.0\""),
                lines.getFirst());
        assertTrue(lines.getLast().contains(" action=drained "), lines.getLast());
        assertEquals("", Files.readString(Path.of(audit + ".renamed")));
        assertTrue(Files.exists(access));
        assertTrue(Files.readString(log).contains("server-stopped"));
        assertFalse(Files.readString(Path.of(log + ".renamed")).contains("server-stopped"));
    }

    @Test
    void faultsOfTheConfigurationAreOneSentence() throws Exception {
        Path config =
                Files.writeString(folder.resolve("bad.properties"), "no-such-key=1\nnor-this=2\n");
        try (ServerProcess server =
                start(Ports.free(), Ports.free(), "--config", config.toString())) {
            assertEquals(2, server.exitCode());
            assertEquals(1, server.errors().lines().count(), server.errors());
            assertTrue(
                    server.errors().startsWith("lrwp: the proxy cannot start: "), server.errors());
            assertTrue(server.errors().contains("no-such-key"), server.errors());
            assertTrue(server.errors().contains("nor-this"), server.errors());
            assertFalse(server.output().contains("Exception"), server.output());
            assertEquals(List.of(), leftOver());
        }
    }

    @Test
    void takenLrwpPortIsToldBeforeTheContainerBoots() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerProcess server = start(Ports.free(), other.getLocalPort())) {
            assertRefused(server, "the LRWP port 127.0.0.1:" + other.getLocalPort() + " is taken");
        }
    }

    @Test
    void onePortForBothIsRefused() throws Exception {
        int port = Ports.free();
        try (ServerProcess server = start(port, port)) {
            assertRefused(server, "are both " + port);
        }
    }

    @Test
    void wrongUseIsOneSentence() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, "--http-port", "many")) {
            assertRefused(server, "Invalid value for option '--http-port'");
        }
        try (ServerProcess server = ServerProcess.start(folder, "--http-threads", "0")) {
            assertRefused(server, "--http-threads must be at least 1");
        }
        try (ServerProcess server = ServerProcess.start(folder, "--warm-up", "-1")) {
            assertRefused(server, "--warm-up must be at least 0\n");
        }
        try (ServerProcess server = ServerProcess.start(folder, "--log-size", "-1")) {
            assertRefused(server, "--log-size must be at least 0\n");
        }
        try (ServerProcess server = ServerProcess.start(folder, "--container", "never")) {
            assertRefused(server, "it is demand or start, not never");
        }
        try (ServerProcess server = start(Ports.free(), Ports.free(), "--war", "missing.war")) {
            assertRefused(server, "missing.war is missing");
        }
        try (ServerProcess server =
                start(Ports.free(), Ports.free(), "--log-file", folder + "/no/such/log")) {
            assertRefused(server, "cannot be written");
        }
    }

    @Test
    void versionNamesWhatRuns() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder, "--version")) {
            assertEquals(0, server.exitCode());
            assertTrue(
                    server.output().matches("(?s)LRWP proxy \\d.*GlassFish +7\\..*JDK +25.*"),
                    server.output());
        }
    }

    private void assertRefused(ServerProcess server, String words) throws Exception {
        assertEquals(2, server.exitCode());
        assertEquals(1, server.errors().lines().count(), server.errors());
        assertTrue(server.errors().contains(words), server.errors());
        assertEquals("", server.output());
        assertEquals(List.of(), leftOver());
    }

    /** Lines of the console that neither the proxy logged nor the server greets with. */
    private static List<String> notOurs(String output) {
        return output.lines()
                .filter(line -> !line.matches("\\d{4}-\\d\\d-\\d\\dT\\S+ (INFO|WARN) +[a-z].*"))
                .filter(line -> !line.startsWith("LRWP proxy ") && !line.startsWith("  "))
                .toList();
    }

    private ServerProcess start(int http, int lrwp, String... more) throws IOException {
        List<String> options =
                Stream.concat(
                                Stream.of(
                                        "--http-port",
                                        Integer.toString(http),
                                        "--lrwp-port",
                                        Integer.toString(lrwp),
                                        "--warm-up",
                                        "0"),
                                Stream.of(more))
                        .toList();
        return ServerProcess.start(folder, options.toArray(String[]::new));
    }

    /** The JDK's own hsperfdata folder aside. */
    private List<Path> leftOver() throws IOException {
        try (Stream<Path> left = Files.list(folder.resolve("tmp"))) {
            return left.filter(path -> !path.getFileName().toString().startsWith("hsperf"))
                    .toList();
        }
    }
}
