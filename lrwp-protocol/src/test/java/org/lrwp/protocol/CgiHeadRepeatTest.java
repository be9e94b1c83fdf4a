package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;

/** Heads that come again, and those that only look so. */
class CgiHeadRepeatTest {
    private final CgiHeadParser parser = new CgiHeadParser(1000);

    private CgiHead head(String bytes) throws MalformedFrameException {
        parser.reset();
        assertEquals(CgiHeadParser.State.HEAD, parser.feed(Cuts.buffer(bytes)));
        return parser.head();
    }

    @Test
    void aHeadWithTheBytesOfTheLastIsTheLastOneAgain() throws Exception {
        String bytes = "Status: 404 a\r\nX-A: 1\r\n\r\n";
        CgiHead first = head(bytes);
        ByteBuffer more = Cuts.buffer(bytes + "body");
        parser.reset();

        assertEquals(CgiHeadParser.State.HEAD, parser.feed(more));
        assertSame(first, parser.head());
        assertEquals(bytes.length(), parser.headLength());
        assertEquals(Cuts.buffer("body"), more);
        assertSame(first, head(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"A: 1\nB: 2\n\n", "A: 2\n\n", "A: 1\n\n"})
    void aHeadAfterAnotherIsReadAsItIs(String bytes) throws Exception {
        head("A: 1\nB: 1\n\n");

        CgiHead next = head(bytes);

        assertEquals(bytes.contains("B") ? "2" : null, next.first("B"));
        assertEquals(bytes.contains("A: 1") ? "1" : "2", next.first("A"));
    }

    @Test
    void aBodyAloneAfterAHeadIsABodyAlone() throws Exception {
        head("A: 1\n\n");
        parser.reset();

        assertEquals(CgiHeadParser.State.BODY_ONLY, parser.feed(Cuts.buffer("<p>")));
        assertEquals(0, parser.headLength());
    }
}
