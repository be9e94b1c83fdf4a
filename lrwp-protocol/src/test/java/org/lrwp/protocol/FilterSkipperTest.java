package org.lrwp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;

class FilterSkipperTest {
    private final FilterSkipper skipper = new FilterSkipper();

    @Test
    void filterIsSkippedUpToTheThirdDelimiterHoweverItIsCut() {
        assertTrue(skipper.skip(ByteBuffer.allocate(0)));
        assertTrue(skipper.skip(Cuts.buffer("fil")));
        assertTrue(skipper.skip(Cuts.buffer("ter\u00ff")));
        assertTrue(skipper.skip(ByteBuffer.allocate(0)));
        assertFalse(skipper.skip(Cuts.buffer("x")));
    }

    @Test
    void bytesBehindTheThirdDelimiterAreNotTheFilters() {
        ByteBuffer in = Cuts.buffer("filter\u00ff000000000");

        assertFalse(skipper.skip(in));
        assertEquals("000000000", Cuts.text(in));
    }

    @Test
    void filterWithoutDelimiterEndsAtItsLimit() {
        ByteBuffer in = ByteBuffer.allocate(HelloParser.MAX_LENGTH + 2);

        assertFalse(skipper.skip(in));
        assertEquals(2, in.remaining());
    }
}
