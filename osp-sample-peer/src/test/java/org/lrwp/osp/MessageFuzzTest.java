package org.lrwp.osp;

import com.code_intelligence.jazzer.junit.FuzzTest;

import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

/** Whatever is posted, the answer is a message of statuses or a sentence, never a failure. */
final class MessageFuzzTest {
    static Stream<byte[]> seeds() {
        return PostLaws.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void anyPostIsAnswered(byte[] octets) throws Exception {
        PostLaws.MESSAGE.check(octets);
    }

    @MethodSource("seeds")
    @FuzzTest
    void anySignedPostIsRefused(byte[] octets) throws Exception {
        PostLaws.SIGNED.check(octets);
    }

    @MethodSource("seeds")
    @FuzzTest
    void anyTokenOfAStrangerIsRefused(byte[] octets) throws Exception {
        PostLaws.TOKEN.check(octets);
    }
}
