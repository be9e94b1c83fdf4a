package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.spool.Handover;
import org.lrwp.sdk.SerialTask;
import org.lrwp.webapp.client.BodySink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class ServletBodyTest {
    private final FakeInput in = new FakeInput();
    private final StringBuilder taken = new StringBuilder();
    private boolean room;

    private class Taker implements BodySink {
        @Override
        public boolean take(ByteBuffer bytes, Handover how) {
            taken.append(StandardCharsets.US_ASCII.decode(bytes));
            return true;
        }

        @Override
        public boolean hasRoom() {
            return room;
        }

        @Override
        public void changed() {}
    }

    @Test
    void endThatIsToldWhileBytesWaitForRoomIsNotTheEnd() throws IOException {
        ServletBody reader = start(new FakeLink(), 5);
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

        ServletBody reader = startWhole(5);

        assertTrue(reader.isWhole());
        assertEquals("hello", taken.toString());
        assertNull(in.listener);
    }

    @Test
    void bytesBehindTheBodyAreLeftAlone() throws IOException {
        room = true;
        in.arrive("helloPOST");

        ServletBody reader = startWhole(5);

        assertTrue(reader.isWhole());
        assertEquals("hello", taken.toString());
        assertEquals(4, in.unread());
    }

    @Test
    void bytesThatWaitForRoomAreReadLater() throws IOException {
        in.arrive("hello");

        ServletBody reader = startWhole(5);

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

        ServletBody reader = startWhole(5);

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

        ServletBody reader = start(new FakeLink(), -1);
        in.arrive("!");

        assertFalse(reader.isWhole());
        in.end();
        assertTrue(reader.isWhole());
        assertEquals("hello!", taken.toString());
    }

    @Test
    void bodyThatEndsBeforeItsLengthIsBroken() throws IOException {
        room = true;
        ServletBody reader = start(new FakeLink(), 5);

        in.arrive("hel");
        in.end();

        assertFalse(reader.isWhole());
        assertTrue(reader.isBroken());
    }

    @Test
    void bodyOfUnknownLengthThatHasComeWholeEndsWithoutTheContainer() throws IOException {
        room = true;
        in.arrive("hel");
        ServletBody reader = startWhole(-1);

        in.arrive("lo");

        assertTrue(reader.isWhole());
        assertEquals("hello", taken.toString());
    }

    /** Grizzly would read on, into the next request, or tell of the end twice. */
    @Test
    void containerIsNotAskedForMoreThanTheWholeRequest() throws IOException {
        room = true;
        var link = new FakeLink();
        ServletBody reader = start(link, 5);
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
        ServletBody reader = start(new FakeLink(), 5);

        assertTrue(reader.end());

        in.arrive("hello");
        assertEquals(5, in.unread());
    }

    @Test
    void endIsToldWhenWhoIsReadingIsDone() throws IOException {
        room = true;
        List<Boolean> ends = new ArrayList<>();
        ServletBody[] reader = new ServletBody[1];
        var turns =
                new SerialTask() {
                    @Override
                    protected void turn() {
                        ends.add(reader[0].end());
                    }
                };
        var taker =
                new Taker() {
                    @Override
                    public void changed() {
                        turns.run();
                    }
                };
        reader[0] = new ServletBody(in, new FakeLink(), 10, taker);
        reader[0].start();
        in.whileRead = turns;

        in.arrive("hello");

        assertEquals(List.of(false, true), ends);
        in.arrive("again");
        assertEquals("hello", taken.toString());
    }

    @Test
    void callWhileSomebodyReadsIsLeftToHim() throws IOException {
        room = true;
        ServletBody reader = start(new FakeLink(), 10);
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
        ServletBody reader = start(new FakeLink(), 10);
        in.whileRead =
                () -> {
                    throw new IllegalStateException("container");
                };

        in.arrive("hello");

        assertTrue(reader.isBroken());
        assertTrue(reader.end());
    }

    private ServletBody startWhole(long length) throws IOException {
        var link = new FakeLink();
        link.whole = true;
        return start(link, length);
    }

    private ServletBody start(FakeLink link, long length) throws IOException {
        var reader = new ServletBody(in, link, length, new Taker());
        reader.start();
        return reader;
    }
}
