package org.lrwp.systemtests.harness;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/**
 * A NATS server as a process of its own, in a network of its own where there is one and else on a
 * port of 127.0.0.1, inside TLS, that lets in who has a certificate and a password, and lets nobody
 * touch other subjects than those of the cluster. It comes from the Go proxy into a folder of the
 * build.
 */
public final class NatsServer implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String PROGRAM = "github.com/nats-io/nats-server/v2@v2.15.2";
    private static final Duration LONGEST_INSTALL = Duration.ofMinutes(5);
    private static final Duration LONGEST_KEY = Duration.ofSeconds(30);

    private final Path program;
    private final Path folder;
    private final @Nullable NetworkNamespace network;
    private final int port = FreePorts.one();
    private final SilentWay otherWay;
    private Process process;

    private NatsServer(Path program, Path folder, @Nullable NetworkNamespace network)
            throws Exception {
        this.network = network;
        otherWay = network == null ? PausingRelay.to(port) : network.otherWay(port);
        this.program = program;
        this.folder = folder;
        certificate("server");
        certificate("node");
        secret("secret", "a secret of all nodes");
        secret("login", "proxy:word");
        secret("wrong", "proxy:sword");
        Files.writeString(folder.resolve("nats.conf"), configuration());
        start();
    }

    private String configuration() {
        return """
        listen: "%s:%d"
        authorization {
            users = [{
                user: proxy, password: word,
                permissions: {publish: "lrwp.v1.lrwp.>", subscribe: "lrwp.v1.lrwp.>"}
            }]
        }
        tls {cert_file: server.pem, key_file: server.key, ca_file: node.pem, verify: true}
        """
                .formatted(network == null ? LOOPBACK : "0.0.0.0", port);
    }

    private String host() {
        return network == null ? LOOPBACK : network.address();
    }

    private void certificate(String name) throws IOException, InterruptedException {
        String names = "-subj /CN=%s -keyout %s.key -out %s.pem".formatted(name, name, name);
        String line =
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
                        + " -addext subjectAltName=IP:"
                        + host()
                        + ",IP:"
                        + (network == null ? LOOPBACK : network.otherAddress())
                        + " "
                        + names;
        List<String> command = List.of(line.split(" ", -1));
        Tools.run(folder, LONGEST_KEY, "", command);
    }

    private void secret(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /**
     * Builds it, if that was not done before, and starts it; skipped without Go or its module.
     *
     * @param folder where its files are made, and those of its clients
     */
    public static NatsServer install(Path folder) throws Exception {
        Tools.require("go");
        Tools.require("openssl");
        // One for all machines that test at the same time: building it takes a while.
        Path programs = Project.built().resolve("nats-server");
        try {
            Tools.run(
                    Project.target(),
                    LONGEST_INSTALL,
                    "",
                    List.of("sh", "-c", "GOBIN=" + programs + " go install " + PROGRAM));
        } catch (AssertionError e) {
            Tools.missing("skipped: a Go module cannot be had: " + e.getMessage());
            throw e;
        }
        return new NatsServer(
                programs.resolve("nats-server"), folder, NetworkNamespace.open().orElse(null));
    }

    /** Starts it again after {@link #kill}; at the same port. */
    public void start() throws Exception {
        List<String> command = List.of(program.toString(), "-c", "nats.conf");
        process =
                new ProcessBuilder(network == null ? command : network.inside(command))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(Project.target().resolve("nats-" + port + ".log").toFile())
                        .start();
        Wait.require("NATS listens", Duration.ofSeconds(10), this::listens);
    }

    private boolean listens() {
        try (Socket socket = new Socket(host(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns how a proxy reaches it.
     *
     * @param login file with what it says of itself: {@code login} or {@code wrong}
     * @return keys of its configuration
     */
    public String keys(String login) {
        return keys(login, address());
    }

    /** Where it listens: host and port. */
    public String address() {
        return host() + ":" + port;
    }

    /** A way to it that can be silent. */
    public SilentWay otherWay() {
        return otherWay;
    }

    /** The same by another address that leads to it. */
    public String keys(String login, String by) {
        return """
        cluster.nats = tls://%s
        cluster.login-file = %s
        cluster.tls.trust = %s
        cluster.tls.certificate = %s
        cluster.tls.key = %s
        cluster.secret-file = %s
        """
                .formatted(
                        by,
                        folder.resolve(login),
                        folder.resolve("server.pem"),
                        folder.resolve("node.pem"),
                        folder.resolve("node.key"),
                        folder.resolve("secret"));
    }

    /** Its process. */
    public Process process() {
        return process;
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() throws IOException {
        kill();
        otherWay.close();
    }
}
