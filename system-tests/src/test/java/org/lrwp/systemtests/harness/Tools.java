package org.lrwp.systemtests.harness;

import org.junit.jupiter.api.Assumptions;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs of the machine that a test needs. */
public final class Tools {
    private Tools() {}

    /** Skips the test when a program is missing; in CI that is a failure. */
    public static void require(String... programs) {
        for (String program : programs) {
            if (!isThere(program)) {
                missing("skipped: the program " + program + " is not installed");
            }
        }
    }

    /** Skips the test when C programs cannot be built with OpenSSL 3. */
    public static void requireOpenSsl() throws IOException, InterruptedException {
        require("pkg-config");
        int found = new ProcessBuilder("pkg-config", "--exists", "openssl >= 3").start().waitFor();
        if (found != 0) {
            missing("skipped: the headers of OpenSSL 3 are not installed");
        }
    }

    /** Skips the test when Ruby does not have Rails. */
    public static void requireRails() throws IOException, InterruptedException {
        require("ruby");
        int found =
                new ProcessBuilder("ruby", "-raction_controller/railtie", "-e", "")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
        if (found != 0) {
            missing("skipped: Rails is not installed (Debian: ruby-railties)");
        }
    }

    /** Skips the test for a reason; in CI that is a failure. */
    public static void missing(String reason) {
        if ("true".equals(System.getenv("CI"))) {
            throw new AssertionError(reason + ", and CI needs it");
        }
        System.out.println(reason);
        Assumptions.abort(reason);
    }

    /** Whether the machine has a program. */
    static boolean isThere(String program) {
        if (program.startsWith("/")) {
            return Files.isExecutable(Path.of(program));
        }
        String path = System.getenv("PATH");
        return path != null
                && Stream.of(path.split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Runs a program in a folder to its end; what it printed. Its exit code must be 0. */
    public static String run(Path folder, Duration within, String input, List<String> command)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        Path given = Files.writeString(Files.createTempFile(folder, "input", ".txt"), input);
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectInput(given.toFile())
                        .redirectOutput(output.toFile())
                        .start();
        boolean ended = process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        String printed = Files.readString(output, StandardCharsets.ISO_8859_1);
        if (!ended || process.exitValue() != 0) {
            throw new AssertionError(
                    String.join(" ", command)
                            + (ended ? " ended with " + process.exitValue() : " did not end")
                            + ":\n"
                            + printed);
        }
        return printed;
    }
}
