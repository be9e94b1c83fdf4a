package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Has a process see another time of day than this machine's. Its monotonic clock is the machine's;
 * the library is not to mend what waits by that, which makes a JVM's timed waits spin.
 */
public final class OtherClock {
    private OtherClock() {}

    /** The environment of a process whose clock is ahead; empty where there is no libfaketime. */
    public static Map<String, String> ahead(Duration time) throws IOException {
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(Path.of("/usr/lib"), "*-linux-gnu")) {
            for (Path folder : found) {
                Path library = folder.resolve("faketime/libfaketime.so.1");
                if (Files.exists(library)) {
                    return Map.of(
                            "LD_PRELOAD",
                            library.toString(),
                            "FAKETIME",
                            "+" + time.toSeconds() + "s",
                            "FAKETIME_DONT_FAKE_MONOTONIC",
                            "1",
                            "FAKETIME_FORCE_MONOTONIC_FIX",
                            "0");
                }
            }
        }
        if ("true".equals(System.getenv("CI"))) {
            throw new AssertionError("there is no libfaketime (Debian package faketime)");
        }
        System.out.println("no libfaketime (Debian package faketime): all clocks are the same");
        return Map.of();
    }
}
