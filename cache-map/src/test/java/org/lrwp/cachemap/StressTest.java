package org.lrwp.cachemap;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import joptsimple.OptionParser;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.files.PrivateFile;
import org.openjdk.jcstress.Main;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs jcstress on {@link Stress}, in processes of its own. What it says is in {@code
 * target/jcstress}.
 */
class StressTest {
    private static final Path RESULTS = Path.of("target", "jcstress").toAbsolutePath();
    private static final int MINUTES = 4;
    private static final Pattern FOUND =
            Pattern.compile("Stress\\.PutAndCarelessGet \\[.*]: Observed forbidden state: WRONG");

    @TempDir private Path folder;

    /** One run for all, since jcstress tries out the virtual machine at length before each. */
    @Test
    void onlyThePlantedFaultIsFound() throws Exception {
        Files.createDirectories(RESULTS);
        Path output = RESULTS.resolve("output");
        Process jcstress =
                new ProcessBuilder(command())
                        .directory(RESULTS.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertTrue(jcstress.waitFor(MINUTES, TimeUnit.MINUTES), "jcstress does not end");
        } finally {
            jcstress.descendants().forEach(ProcessHandle::destroyForcibly);
            jcstress.destroyForcibly().waitFor();
        }
        String said = Files.readString(output);
        assumeFalse(said.contains("No scheduling is possible"), "a single core");
        assertTrue(FOUND.matcher(said).find(), "the planted fault was not found: " + said);
        assertTrue(
                said.contains("(Results: 5 planned; 4 passed, 1 failed, 0 soft errs, 0 hard errs)"),
                said);
    }

    private List<String> command() {
        String classes =
                String.join(
                        File.pathSeparator,
                        location(CacheMap.class),
                        location(Stress.class),
                        location(PrivateFile.class),
                        location(Main.class),
                        location(OptionParser.class));
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // The processes that it starts have these, too.
                "-XX:+UseSerialGC",
                "-D" + Stress.FOLDER + "=" + folder,
                "-cp",
                classes,
                Main.class.getName(),
                "-v",
                "-m",
                "quick",
                // Milliseconds, five times: half of the first second goes to the compilers.
                "-time",
                "500",
                // One process for each test: the compilers come in while it runs.
                "-jvmArgs",
                "-XX:+TieredCompilation",
                "-sc",
                "false",
                // Other builds may have the processors as well.
                "-af",
                "NONE",
                // Few samples between two meetings: nearly the same step at the same time.
                "-strideSize",
                "8",
                "-strideCount",
                "16",
                "-hs",
                "128",
                "-pth",
                "false",
                "-r",
                RESULTS.toString());
    }

    private static String location(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }
}
