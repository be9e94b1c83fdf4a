package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.spool.Handover;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class BodyReaderTest {
    private final FakeInput in = new FakeInput();
    private final StringBuilder taken = new StringBuilder();
    private boolean room;

    private final class Taker implements BodyReader.Sink {
        @Override
        public boolean take(ByteBuffer octets, Handover how) {
            taken.append(StandardCharsets.US_ASCII.decode(octets));
            return true;
        }

        @Override
        public boolean hasRoom() {
            return room;
        }
    }

    @Test
    void endThatIsToldWhileOctetsWaitForRoomIsNotTheEnd() throws IOException {
        BodyReader reader = start(new FakeLink(), 5);
        in.arrive("hello");
        in.end();

        assertFalse(reader.isWhole());
        assertEquals("", taken.toString());

        room = true;
        reader.resume();
        assertTrue(reader.isWhole());
        assertEquals("hello", taken.toString());
    }

    @Test
    void bodyThatHasComeWithItsHeadIsReadAtOnce() throws IOException {
        room = true;
        in.arrive("hello");

        BodyReader reader = startWhole(5);

        assertTrue(reader.isWhole());
        assertEquals("hello", taken.toString());
        assertNull(in.listener);
    }

    @Test
    void octetsBehindTheBodyAreLeftAlone() throws IOException {
        room = true;
        in.arrive("helloPOST");

        BodyReader reader = startWhole(5);

        assertTrue(reader.isWhole());
        assertEquals("hello", taken.toString());
        assertEquals(4, in.unread());
    }

    @Test
    void octetsThatWaitForRoomAreReadLater() throws IOException {
        in.arrive("hello");

        BodyReader reader = startWhole(5);

        assertFalse(reader.isWhole());
        room = true;
        in.arrive("");
        in.end();
        assertTrue(reader.isWhole());
        assertEquals("hello", taken.toString());
    }

    @Test
    void restOfBodyThatIsNotThereYetIsReadWhenItComes() throws IOException {
        room = true;
        in.arrive("he");

        BodyReader reader = startWhole(5);

        assertFalse(reader.isWhole());
        in.arrive("llo");
        in.end();
        assertTrue(reader.isWhole());
        assertEquals("hello", taken.toString());
    }

    @Test
    void bodyOfUnknownLengthIsReadAsItComes() throws IOException {
        room = true;
        in.arrive("hello");

        BodyReader reader = start(new FakeLink(), -1);
        in.arrive("!");

        assertFalse(reader.isWhole());
        in.end();
        assertTrue(reader.isWhole());
        assertEquals("hello!", taken.toString());
    }

    @Test
    void bodyOfUnknownLengthThatHasComeWholeEndsWithoutTheContainer() throws IOException {
        room = true;
        in.arrive("hel");
        BodyReader reader = startWhole(-1);

        in.arrive("lo");

        assertTrue(reader.isWhole());
        assertEquals("hello", taken.toString());
    }

    /** Grizzly would read on, into the next request, or tell of the end twice. */
    @Test
    void containerIsNotAskedForMoreThanTheWholeRequest() throws IOException {
        room = true;
        var link = new FakeLink();
        BodyReader reader = start(link, 5);
        link.whole = true;

        in.arrive("hello");
        assertEquals(1, in.asked);
        in.end();
        reader.onDataAvailable();

        assertEquals(1, in.asked);
        assertTrue(reader.isWhole());
    }

    @Test
    void nobodyReadsWhenItHasEnded() throws IOException {
        room = true;
        BodyReader reader = start(new FakeLink(), 5);

        assertTrue(reader.end());

        in.arrive("hello");
        assertEquals(5, in.unread());
    }

    @Test
    void endIsToldWhenWhoIsReadingIsDone() throws IOException {
        room = true;
        List<Boolean> ends = new ArrayList<>();
        BodyReader[] reader = new BodyReader[1];
        var turns = new Turns(() -> ends.add(reader[0].end()));
        reader[0] = new BodyReader(in, new FakeLink(), 10, new Taker(), turns);
        reader[0].start();
        in.whileRead = turns::ask;

        in.arrive("hello");

        assertEquals(List.of(false, true), ends);
        in.arrive("again");
        assertEquals("hello", taken.toString());
    }

    @Test
    void callWhileSomebodyReadsIsLeftToHim() throws IOException {
        room = true;
        BodyReader reader = start(new FakeLink(), 10);
        List<String> seen = new ArrayList<>();
        in.whileRead =
                () -> {
                    in.whileRead = () -> {};
                    reader.onDataAvailable();
                    seen.add(taken.toString());
                };

        in.arrive("hello");

        assertEquals(List.of(""), seen);
        assertEquals("hello", taken.toString());
    }

    @Test
    void inputThatFailsInAnUnexpectedWayIsBroken() throws IOException {
        room = true;
        BodyReader reader = start(new FakeLink(), 10);
        in.whileRead =
                () -> {
                    throw new IllegalStateException("container");
                };

        in.arrive("hello");

        assertTrue(reader.isBroken());
        assertTrue(reader.end());
    }

    private BodyReader startWhole(long length) throws IOException {
        var link = new FakeLink();
        link.whole = true;
        return start(link, length);
    }

    private BodyReader start(FakeLink link, long length) throws IOException {
        var reader = new BodyReader(in, link, length, new Taker(), new Turns(() -> {}));
        reader.start();
        return reader;
    }
}
