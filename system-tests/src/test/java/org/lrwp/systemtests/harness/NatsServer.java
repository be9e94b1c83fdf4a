package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A NATS server as a process of its own, on a port of 127.0.0.1. It comes from the Go proxy into a
 * folder of the build.
 */
public final class NatsServer implements AutoCloseable {
    private static final String PROGRAM = "github.com/nats-io/nats-server/v2@v2.15.2";
    private static final Duration LONGEST_INSTALL = Duration.ofMinutes(5);

    private final Path program;
    private final int port = FreePorts.one();
    private Process process;

    private NatsServer(Path program) throws Exception {
        this.program = program;
        start();
    }

    /** Builds it, if that was not done before, and starts it; skipped without Go or its module. */
    public static NatsServer install() throws Exception {
        Tools.require("go");
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
        return new NatsServer(programs.resolve("nats-server"));
    }

    /** Starts it again after {@link #kill}; at the same port. */
    public void start() throws Exception {
        process =
                new ProcessBuilder(program.toString(), "-a", "127.0.0.1", "-p", "" + port)
                        .redirectErrorStream(true)
                        .redirectOutput(Project.target().resolve("nats-" + port + ".log").toFile())
                        .start();
        Wait.require("NATS listens", Duration.ofSeconds(10), this::listens);
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** As clients name it. */
    public String url() {
        return "nats://127.0.0.1:" + port;
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
