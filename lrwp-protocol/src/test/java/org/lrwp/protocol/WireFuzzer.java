package org.lrwp.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The target of the timed fuzzing in the build: the first byte chooses the parser, the others are
 * its input. A finding is replayed by feeding its bytes, without the first, to {@link WireLaws}.
 */
public final class WireFuzzer {
    private static final WireLaws[] LAWS = WireLaws.values();

    private WireFuzzer() {}

    /** Called once, before the corpus is read. */
    public static void fuzzerInitialize() throws IOException {
        WireSeeds.writeTo(Path.of(System.getProperty("fuzz.corpus", "target/fuzz/corpus")));
    }

    /** Called for each input. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 0) {
            WireLaws law = LAWS[Math.floorMod(input[0], LAWS.length)];
            law.check(Arrays.copyOfRange(input, 1, input.length));
        }
    }
}
