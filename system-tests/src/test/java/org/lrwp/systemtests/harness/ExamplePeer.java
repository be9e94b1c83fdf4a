package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One of the examples of the folder {@code peers}, as a process whose lines are kept with their
 * times.
 */
public final class ExamplePeer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final ProcessOutput output;

    private ExamplePeer(Process process) {
        this.process = process;
        output = new ProcessOutput(process);
    }

    /** Starts an example; {@link #awaitRegistered} tells when it serves. */
    public static ExamplePeer start(
            PeerLanguage language, String example, int port, String context, String... options)
            throws IOException, InterruptedException {
        language.prepare();
        return start(language.command(example), Map.of(), port, context, options);
    }

    /** Starts a program that has the command line of the examples. */
    static ExamplePeer start(
            List<String> program,
            Map<String, String> environment,
            int port,
            String context,
            String... options)
            throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("--proxy", "127.0.0.1:" + port, "--context", context));
        command.addAll(List.of(options));
        return start(command, environment);
    }

    /** Starts a program that has its whole command line. */
    static ExamplePeer start(List<String> command, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("LRWP_"));
        builder.environment().putAll(environment);
        Path errors = Files.createDirectories(Project.target().resolve("peers"));
        builder.redirectError(
                ProcessBuilder.Redirect.appendTo(errors.resolve("errors.txt").toFile()));
        return new ExamplePeer(builder.start());
    }

    /** Waits until it serves its first context, and requires that it speaks a version. */
    public ExamplePeer awaitRegistered(String version) throws Exception {
        return awaitLine("registered").awaitLine("version=" + version);
    }

    /** Waits for a line that contains a text. */
    public ExamplePeer awaitLine(String text) throws Exception {
        return awaitLines(1, text);
    }

    /** Waits for so many lines that contain a text. */
    public ExamplePeer awaitLines(int count, String text) throws Exception {
        output.await(count, text);
        return this;
    }

    /** When the first line came that contains a text, as of {@link System#nanoTime}. */
    public OptionalLong time(String text) {
        return output.time(text);
    }

    /** SIGTERM, which leaves its output open: {@link Process#destroy} would close it. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** SIGSTOP: it lives and does nothing. */
    public void freeze() throws Exception {
        Tools.run(
                Project.target(),
                PATIENCE,
                "",
                List.of("kill", "-STOP", Long.toString(process.pid())));
        // The signal is on its way: a busy machine lets the process run on for a while.
        Wait.require("the peer stands still", PATIENCE, this::isFrozen);
    }

    private boolean isFrozen() throws IOException {
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : all.toList()) {
                String state = Files.readString(thread.resolve("stat"));
                if (!state.substring(state.lastIndexOf(')')).startsWith(") T")) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException e) {
            // A thread has ended meanwhile: it was not the last look.
            return false;
        }
    }

    /** Waits for its end. */
    public void awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the peer does not end: " + this);
        }
    }

    @Override
    public String toString() {
        return output.toString();
    }

    /** kill -9. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
