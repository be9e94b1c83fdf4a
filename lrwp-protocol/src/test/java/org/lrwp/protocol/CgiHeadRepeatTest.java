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

    private CgiHead head(String octets) throws MalformedFrameException {
        parser.reset();
        assertEquals(CgiHeadParser.State.HEAD, parser.feed(Cuts.buffer(octets)));
        return parser.head();
    }

    @Test
    void aHeadWithTheOctetsOfTheLastIsTheLastOneAgain() throws Exception {
        String octets = "Status: 404 a\r\nX-A: 1\r\n\r\n";
        CgiHead first = head(octets);
        ByteBuffer more = Cuts.buffer(octets + "body");
        parser.reset();

        assertEquals(CgiHeadParser.State.HEAD, parser.feed(more));
        assertSame(first, parser.head());
        assertEquals(octets.length(), parser.headLength());
        assertEquals(Cuts.buffer("body"), more);
        assertSame(first, head(octets));
    }

    @ParameterizedTest
    @ValueSource(strings = {"A: 1\nB: 2\n\n", "A: 2\n\n", "A: 1\n\n"})
    void aHeadAfterAnotherIsReadAsItIs(String octets) throws Exception {
        head("A: 1\nB: 1\n\n");

        CgiHead next = head(octets);

        assertEquals(octets.contains("B") ? "2" : null, next.first("B"));
        assertEquals(octets.contains("A: 1") ? "1" : "2", next.first("A"));
    }

    @Test
    void aBodyAloneAfterAHeadIsABodyAlone() throws Exception {
        head("A: 1\n\n");
        parser.reset();

        assertEquals(CgiHeadParser.State.BODY_ONLY, parser.feed(Cuts.buffer("<p>")));
        assertEquals(0, parser.headLength());
    }
}
