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
    void anyPostIsAnswered(byte[] bytes) throws Exception {
        PostLaws.MESSAGE.check(bytes);
    }

    @MethodSource("seeds")
    @FuzzTest
    void anySignedPostIsRefused(byte[] bytes) throws Exception {
        PostLaws.SIGNED.check(bytes);
    }

    @MethodSource("seeds")
    @FuzzTest
    void anyTokenOfAStrangerIsRefused(byte[] bytes) throws Exception {
        PostLaws.TOKEN.check(bytes);
    }
}
