package org.lrwp.systemtests.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.lrwp.systemtests.harness.Project;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs one of the scripts over a folder that stands for the root of a machine. */
final class TuningScript {
    private static final long LONGEST_SECONDS = 60;

    private final String name;
    private final Path folder;
    private List<String> within = List.of();

    /**
     * A script for an empty folder.
     *
     * @param name of the script
     * @param folder gets the machine's files in {@code root}, the fakes' state beside it
     */
    TuningScript(String name, Path folder) throws IOException {
        this.name = name;
        this.folder = folder;
        Files.createDirectories(root());
    }

    /** How a run ended. */
    record Outcome(int code, String output) {
        Outcome requireCode(int wanted) {
            assertEquals(wanted, code, output);
            return this;
        }

        Outcome requireSays(String... lines) {
            for (String line : lines) {
                assertTrue(output.lines().anyMatch(line::equals), () -> line + "\n---\n" + output);
            }
            return this;
        }
    }

    /** A command that runs the script, with the words before it. */
    TuningScript within(String... command) {
        within = List.of(command);
        return this;
    }

    /** What stands for {@code /}. */
    Path root() {
        return folder.resolve("root");
    }

    /** A file of the machine, or of the fakes when the name does not begin with a slash. */
    Path file(String path) {
        return path.startsWith("/") ? root().resolve(path.substring(1)) : folder.resolve(path);
    }

    String text(String path) throws IOException {
        return Files.readString(file(path));
    }

    void write(String path, String text) throws IOException {
        Files.createDirectories(file(path).getParent());
        Files.writeString(file(path), text);
    }

    Outcome run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(within);
        command.add(Project.root().resolve("solaris-tuning").resolve(name).toString());
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        Path fakes = Project.root().resolve("system-tests/src/test/resources/tuning/fakes");
        builder.environment().merge("PATH", fakes + ":", (path, first) -> first + path);
        builder.environment().put("FAKE", folder.toString());
        builder.environment().put("LRWP_TUNING_ROOT", root().toString());
        Process process = builder.start();
        if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("hangs: " + command + Files.readString(output));
        }
        return new Outcome(process.exitValue(), Files.readString(output));
    }
}
