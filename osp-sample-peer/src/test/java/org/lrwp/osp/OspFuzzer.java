package org.lrwp.osp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The target of the timed fuzzing in the build: the first byte chooses the law, the others are its
 * input. A finding is replayed by feeding its bytes, without the first, to {@link PostLaws}.
 */
public final class OspFuzzer {
    private static final PostLaws[] LAWS = PostLaws.values();

    private OspFuzzer() {}

    /** Called once, before the corpus is read. */
    public static void fuzzerInitialize() throws IOException {
        Path corpus = Path.of(System.getProperty("fuzz.corpus", "target/fuzz/corpus"));
        List<byte[]> seeds = PostLaws.seeds().toList();
        for (int law = 0; law < LAWS.length; law++) {
            for (int i = 0; i < seeds.size(); i++) {
                byte[] seed = new byte[seeds.get(i).length + 1];
                seed[0] = (byte) law;
                System.arraycopy(seeds.get(i), 0, seed, 1, seeds.get(i).length);
                Files.write(corpus.resolve("seed-" + LAWS[law] + "-" + i), seed);
            }
        }
    }

    /** Called for each input. */
    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        if (input.length > 0) {
            PostLaws law = LAWS[Math.floorMod(input[0], LAWS.length)];
            law.check(Arrays.copyOfRange(input, 1, input.length));
        }
    }
}
