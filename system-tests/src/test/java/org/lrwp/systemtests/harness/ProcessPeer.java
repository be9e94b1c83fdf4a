package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A peer program as a process. */
public final class ProcessPeer implements AutoCloseable {
    /** The programs written as the originals were. */
    public enum Kind {
        /** In C, compiled by the machine's compiler. */
        C("c", "cc"),
        /** In Perl. */
        PERL("perl", "perl"),
        /** In Python. */
        PYTHON("python", "python3"),
        /** In Java. */
        JAVA("java", "");

        private final String label;
        private final String tool;

        Kind(String label, String tool) {
            this.label = label;
            this.tool = tool;
        }

        /** What the peer calls itself in X-Peer. */
        public String label() {
            return label;
        }

        /** Skips the test when what the program needs is missing. */
        public void requireTool() {
            if (!tool.isEmpty()) {
                Tools.require(tool);
            }
        }

        private List<String> command() throws IOException, InterruptedException {
            Path peers = Project.peers();
            return switch (this) {
                case C -> List.of(compiledC().toString());
                case PERL -> List.of("perl", peers.resolve("echo_peer.pl").toString());
                case PYTHON -> List.of("python3", peers.resolve("echo_peer.py").toString());
                case JAVA -> Project.java(peers.resolve("EchoPeer.java").toString());
            };
        }
    }

    private final Process process;
    private final ProcessOutput output;

    private ProcessPeer(Process process) {
        this.process = process;
        this.output = new ProcessOutput(process);
    }

    private static synchronized Path compiledC() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Project.target().resolve("peers"));
        Path program = folder.resolve("echo_peer");
        Path source = Project.peers().resolve("echo_peer.c");
        if (!Files.exists(program)
                || Files.getLastModifiedTime(program).compareTo(Files.getLastModifiedTime(source))
                        < 0) {
            List<String> command =
                    List.of("cc", "-O2", "-o", program.toString(), source.toString());
            Tools.run(folder, Duration.ofMinutes(1), "", command);
        }
        return program;
    }

    /** Starts a peer; it prints a line when it is registered. */
    public static ProcessPeer start(Kind kind, ProxyProcess proxy, String app, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(kind.command());
        command.addAll(List.of("127.0.0.1", "" + proxy.lrwpPort(), app));
        command.addAll(List.of(options));
        return start(command);
    }

    /** Starts any program. */
    public static ProcessPeer start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("LRWP_"));
        Path errors = Files.createDirectories(Project.target().resolve("peers"));
        builder.redirectError(
                ProcessBuilder.Redirect.appendTo(errors.resolve("errors.txt").toFile()));
        return new ProcessPeer(builder.start());
    }

    /** Waits for a line of its output that contains a text. */
    public ProcessPeer awaitLine(String text) throws Exception {
        output.await(1, text);
        return this;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it runs. */
    public boolean isRunning() {
        return process.isAlive();
    }

    /** Waits for its end; the exit code. */
    public int exit(Duration within) throws InterruptedException {
        if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the peer did not end within " + within);
        }
        return process.exitValue();
    }

    /** kill -9. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Asks it to end with all that it has started, and insists after a while. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
