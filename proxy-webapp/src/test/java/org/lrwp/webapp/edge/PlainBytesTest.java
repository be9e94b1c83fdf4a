package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

class PlainBytesTest {
    private static void put(ByteBuffer buffer, String text) {
        buffer.clear().put(text.getBytes(StandardCharsets.US_ASCII)).flip();
    }

    @Test
    void whatIsEncryptedLaterIsWhatTheClientWasMeantToGet() {
        ByteBuffer shared = ByteBuffer.allocateDirect(20);
        put(shared, "for the one");
        PlainBytes kept = new PlainBytes(shared);
        kept.settle();
        put(shared, "another one");

        assertEquals("for the one", kept.toStringContent(StandardCharsets.US_ASCII));
    }

    @Test
    void whatIsEncryptedAtOnceIsNotCopied() {
        ByteBuffer shared = ByteBuffer.allocateDirect(20);
        put(shared, "for the one");
        PlainBytes used = new PlainBytes(shared);
        used.tryDispose();
        used.settle();

        assertSame(shared, used.underlying());
    }
}
