package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code lrwp-connect} as a process, whose log is kept. */
public final class ConnectProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LONGEST_BUILD = Duration.ofSeconds(100);

    /** By this machine: Go knows by itself what is up to date. */
    private static boolean built;

    private final Process process;
    private final ProcessOutput output;

    private ConnectProcess(Process process) {
        this.process = process;
        output = new ProcessOutput(process);
    }

    /** Builds it when that has not been done, and starts it with these arguments. */
    public static ConnectProcess start(ProxyProcess proxy, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(binary().toString());
        command.addAll(List.of("--proxy", "127.0.0.1:" + proxy.lrwpPort()));
        command.addAll(arguments);
        return new ConnectProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private static synchronized Path binary() throws IOException, InterruptedException {
        Tools.require("go");
        Path binary = Project.target().resolve("lrwp-connect");
        if (!built) {
            String build = "cd \"$0\" && CGO_ENABLED=0 exec go build -o \"$1\" ./cmd/lrwp-connect";
            Path sources = Project.root().resolve("peers/go");
            Tools.run(
                    Project.target(),
                    LONGEST_BUILD,
                    "",
                    List.of("sh", "-c", build, sources.toString(), binary.toString()));
            built = true;
        }
        return binary;
    }

    /** Waits for a line of its log that contains a text. */
    public ConnectProcess awaitLine(String text) throws Exception {
        output.await(1, text);
        return this;
    }

    /** Waits until it serves its context. */
    public ConnectProcess awaitRegistered() throws Exception {
        return awaitLine("registered");
    }

    /** SIGTERM, and waits for its end; it must be one in order. */
    public void leave() throws InterruptedException {
        process.toHandle().destroy();
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("lrwp-connect does not end: " + output);
        }
        if (process.exitValue() != 0) {
            throw new AssertionError(
                    "lrwp-connect ended with " + process.exitValue() + ": " + output);
        }
    }

    @Override
    public String toString() {
        return output.toString();
    }

    /** Asks it to end, so that it ends what it has started, and insists. */
    @Override
    public void close() {
        process.toHandle().destroy();
        try {
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
