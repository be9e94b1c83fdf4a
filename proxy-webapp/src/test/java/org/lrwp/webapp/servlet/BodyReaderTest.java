package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

class BodyReaderTest {
    private final FakeInput in = new FakeInput();
    private final StringBuilder taken = new StringBuilder();
    private boolean room;

    private final class Taker implements BodyReader.Sink {
        @Override
        public boolean take(ByteBuffer octets) {
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
        var reader = new BodyReader(in, new FakeLink(), 5, new Taker(), new Turns(() -> {}));
        reader.start();
        in.arrive("hello");
        in.end();

        assertFalse(reader.isWhole());
        assertEquals("", taken.toString());

        room = true;
        reader.resume();
        assertTrue(reader.isWhole());
        assertEquals("hello", taken.toString());
    }
}
