package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What is read does not depend on how the bytes come. */
class SplitTest {
    private static final int LONG = 1200;

    static Stream<String> requests() {
        return Corpus.all().map(text -> text + Requests.NEXT);
    }

    static Stream<String> mutations() {
        return Corpus.mutations(1, 300).stream().map(text -> text + Requests.NEXT);
    }

    @ParameterizedTest
    @MethodSource({"requests", "mutations"})
    void requestsAreReadTheSameWhereverTheyAreCut(String text) {
        byte[] bytes = Requests.bytes(text);
        Conversation whole = Conversation.read(bytes);

        // Of long ones every place near both ends, and some between.
        for (int at = 1; at < bytes.length; at++) {
            boolean near = at < LONG / 2 || at > bytes.length - LONG / 2;
            if (near || at % 97 == 0) {
                List<byte[]> two =
                        List.of(
                                Arrays.copyOf(bytes, at),
                                Arrays.copyOfRange(bytes, at, bytes.length));
                assertEquals(whole, Conversation.read(two), "cut at " + at);
            }
        }
    }

    @ParameterizedTest
    @MethodSource({"requests", "mutations"})
    void requestsAreReadTheSameByteByByte(String text) {
        byte[] bytes = Requests.bytes(text);
        List<byte[]> singles = new ArrayList<>();
        for (byte one : bytes) {
            singles.add(new byte[] {one});
        }

        assertEquals(Conversation.read(bytes), Conversation.read(singles));
    }
}
