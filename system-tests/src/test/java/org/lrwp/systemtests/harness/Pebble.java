package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Pebble, the certification authority that Let's Encrypt has for tests, as a process of its own.
 * For it every name is 127.0.0.1, and it asks names at the ports that the test says. It comes from
 * the Go proxy into a folder of the build.
 */
public final class Pebble implements AutoCloseable {
    private static final String MODULE = "github.com/letsencrypt/pebble/v2";
    private static final String VERSION = "v2.10.1";
    private static final Duration LONGEST_INSTALL = Duration.ofSeconds(110);

    private final int port;
    private final Path sources;
    private final List<Process> processes = new ArrayList<>();
    private final List<ProcessOutput> outputs = new ArrayList<>();

    private Pebble(int port, Path sources) {
        this.port = port;
        this.sources = sources;
    }

    /**
     * What it does.
     *
     * @param port where its directory is
     * @param httpPort where it asks for http-01
     * @param tlsPort where it asks for tls-alpn-01
     * @param life how long its certificates are valid
     */
    public record Setup(int port, int httpPort, int tlsPort, Duration life) {
        private String json(Path certificates) {
            return """
            {"pebble": {
              "listenAddress": "127.0.0.1:%d",
              "managementListenAddress": "",
              "certificate": "%s/localhost/cert.pem",
              "privateKey": "%s/localhost/key.pem",
              "httpPort": %d,
              "tlsPort": %d,
              "domainBlocklist": ["blocked.test"],
              "retryAfter": {"authz": 1, "order": 1},
              "keyAlgorithm": "ecdsa",
              "profiles": {"default": {"description": "short", "validityPeriod": %d}}
            }}
            """
                    .formatted(
                            port, certificates, certificates, httpPort, tlsPort, life.toSeconds());
        }
    }

    /** Starts it and waits until it serves; the test is skipped without Go or its module. */
    public static Pebble start(Setup setup) throws Exception {
        Path programs = install();
        Pebble pebble = new Pebble(setup.port(), sources());
        boolean complete = false;
        try {
            pebble.start(setup, programs);
            complete = true;
        } finally {
            if (!complete) {
                pebble.close();
            }
        }
        return pebble;
    }

    private void start(Setup setup, Path programs) throws Exception {
        Path folder = Files.createDirectories(Project.target().resolve("pebble"));
        Path file = folder.resolve("pebble-" + setup.port() + ".json");
        Files.writeString(file, setup.json(sources.resolve("test/certs")));
        List<Integer> ports = FreePorts.several(2);
        String names = "127.0.0.1:" + ports.get(0);
        run(
                programs.resolve("pebble-challtestsrv").toString(),
                "-dnsserver",
                names,
                "-management",
                "127.0.0.1:" + ports.get(1),
                "-defaultIPv4",
                "127.0.0.1",
                "-defaultIPv6",
                "",
                "-http01",
                "",
                "-https01",
                "",
                "-tlsalpn01",
                "",
                "-doh",
                "");
        run(programs.resolve("pebble").toString(), "-config", file.toString(), "-dnsserver", names);
        outputs.getLast().await(1, "ACME directory available");
        Wait.require("Pebble listens", Duration.ofSeconds(10), this::listens);
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private void run(String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("PEBBLE_"));
        builder.environment().put("PEBBLE_VA_NOSLEEP", "1");
        // Each order has to prove its names.
        builder.environment().put("PEBBLE_AUTHZREUSE", "0");
        Process process = builder.start();
        processes.add(process);
        outputs.add(new ProcessOutput(process));
    }

    private static Path install() throws IOException, InterruptedException {
        Tools.require("go");
        Path programs = Project.target().resolve("go-" + VERSION);
        String packages =
                MODULE
                        + "/cmd/pebble@"
                        + VERSION
                        + " "
                        + MODULE
                        + "/cmd/pebble-challtestsrv@"
                        + VERSION;
        go("GOBIN=" + programs + " go install " + packages);
        return programs;
    }

    /** Where its module is, which has certificates for 127.0.0.1. */
    private static Path sources() throws IOException, InterruptedException {
        return Path.of(go("go env GOMODCACHE").strip()).resolve(MODULE + "@" + VERSION);
    }

    /** What only a registry has may be out of reach: a reason to skip, and a fault in CI. */
    private static String go(String command) throws IOException, InterruptedException {
        try {
            return Tools.run(Project.target(), LONGEST_INSTALL, "", List.of("sh", "-c", command));
        } catch (AssertionError e) {
            Tools.missing("skipped: a Go module cannot be had: " + e.getMessage());
            throw e;
        }
    }

    /** The root of its own TLS certificate, as a PEM file. */
    public static Path trust() throws IOException, InterruptedException {
        install();
        return sources().resolve("test/certs/pebble.minica.pem");
    }

    /** What it has printed. */
    @Override
    public String toString() {
        return outputs.toString();
    }

    @Override
    public void close() {
        for (Process process : processes) {
            process.destroyForcibly().onExit().join();
        }
    }
}
