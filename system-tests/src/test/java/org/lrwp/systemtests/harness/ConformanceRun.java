package org.lrwp.systemtests.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A run of {@code peers/conformance}, as a process. */
public final class ConformanceRun implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(110);

    private final Process process;
    private final Path output;

    private ConformanceRun(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts a run.
     *
     * @param name what its report is called
     * @param arguments its options, and the command of a test peer behind {@code --}
     */
    public static ConformanceRun start(String name, List<String> arguments) throws IOException {
        Path folder = Files.createDirectories(Project.target().resolve("conformance"));
        Path output = folder.resolve(name + ".tap");
        List<String> command = new ArrayList<>();
        command.add("python3");
        command.add(Project.root().resolve("peers/conformance/run").toString());
        command.addAll(
                List.of("--name", name, "--junit", folder.resolve(name + ".xml").toString()));
        command.addAll(arguments);
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        return new ConformanceRun(process, output);
    }

    /**
     * Waits for its end and requires that no case has failed.
     *
     * @param passed how many cases have to pass at least: what is skipped cannot grow unseen
     */
    public void requirePassed(int passed) throws Exception {
        assertTrue(
                process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS),
                "a run does not end: " + output);
        String tap = Files.readString(output, StandardCharsets.UTF_8);
        assertEquals(0, process.exitValue(), tap);
        long good =
                tap.lines()
                        .filter(line -> line.startsWith("ok ") && !line.contains("# SKIP"))
                        .count();
        assertTrue(good >= passed, good + " cases have passed, not " + passed + "\n" + tap);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
