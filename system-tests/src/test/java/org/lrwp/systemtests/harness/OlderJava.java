package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JDK 17 of this machine: the oldest that a peer in Java needs. */
public final class OlderJava {
    private static final Path PLACE = Path.of("/usr/lib/jvm");

    private OlderJava() {}

    /** Begins a command that runs it; skips the test when there is none. */
    public static List<String> java(String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(home().resolve("bin/java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of(options));
        return command;
    }

    /** Its folder; skips the test when there is none. */
    public static Path home() throws IOException {
        require();
        return homes().getFirst();
    }

    /** Whether there is one. */
    public static boolean isThere() throws IOException {
        return !homes().isEmpty();
    }

    /** Skips the test when there is none. */
    public static void require() throws IOException {
        if (!isThere()) {
            Tools.missing("skipped: there is no JDK 17 below " + PLACE);
        }
    }

    private static List<Path> homes() throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(PLACE)) {
            try (DirectoryStream<Path> homes = Files.newDirectoryStream(PLACE)) {
                for (Path home : homes) {
                    if (isJava17(home)) {
                        found.add(home);
                    }
                }
            }
        }
        return found;
    }

    private static boolean isJava17(Path home) throws IOException {
        Path release = home.resolve("release");
        return Files.isExecutable(home.resolve("bin/javac"))
                && Files.exists(release)
                && Files.readString(release).contains("JAVA_VERSION=\"17.");
    }
}
