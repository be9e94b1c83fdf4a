package org.lrwp.http1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The target of the timed fuzzing in the build. A finding is replayed by feeding its bytes to
 * {@link HeadLaws}.
 */
public final class HeadFuzzer {
    private HeadFuzzer() {}

    /** Called once, before the corpus is read. */
    public static void fuzzerInitialize() throws IOException {
        Path folder = Path.of(System.getProperty("fuzz.corpus", "target/fuzz/corpus"));
        Files.createDirectories(folder);
        List<byte[]> seeds = HeadFuzzTest.seeds().toList();
        for (int i = 0; i < seeds.size(); i++) {
            Files.write(folder.resolve("seed-" + i), seeds.get(i));
        }
    }

    /** Called for each input. */
    public static void fuzzerTestOneInput(byte[] input) {
        HeadLaws.check(input);
    }
}
