package org.lrwp.protocol;

import com.code_intelligence.jazzer.junit.FuzzTest;

import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

class FramesFuzzTest {
    static Stream<byte[]> seeds() {
        return WireSeeds.all();
    }

    @MethodSource("seeds")
    @FuzzTest
    void anyBytesKeepTheLaws(byte[] bytes) {
        WireLaws.FRAMES.check(bytes);
        WireLaws.PAYLOAD.check(bytes);
    }
}
