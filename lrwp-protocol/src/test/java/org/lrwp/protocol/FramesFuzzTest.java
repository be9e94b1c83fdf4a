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
    void anyOctetsKeepTheLaws(byte[] octets) {
        WireLaws.FRAMES.check(octets);
        WireLaws.PAYLOAD.check(octets);
    }
}
