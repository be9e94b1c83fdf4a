package org.lrwp.http1;

import com.code_intelligence.jazzer.junit.FuzzTest;

import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

class HeadFuzzTest {
    private static final int LONGEST = 2048;

    static Stream<byte[]> seeds() {
        Stream<String> bodies = Stream.of("5;a=\"b\"\r\nabcde\r\n0\r\nX: y\r\n\r\n", "0\r\n\r\n");
        return Stream.concat(Corpus.all().filter(text -> text.length() < LONGEST), bodies)
                .map(Requests::bytes);
    }

    @MethodSource("seeds")
    @FuzzTest
    void anyBytesKeepTheLaws(byte[] bytes) {
        HeadLaws.check(bytes);
    }
}
