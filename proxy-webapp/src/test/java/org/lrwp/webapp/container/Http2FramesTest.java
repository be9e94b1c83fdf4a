package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.memory.HeapMemoryManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lrwp.testkit.wire.Bytes;

import java.util.Arrays;

class Http2FramesTest {
    private static final int LIMIT = 1000;
    private static final int LONGEST = 16384;
    private static final int MOST = 64;
    private static final byte[] PREFACE = Bytes.of("SM\r\n\r\n");
    private static final byte[] SETTINGS = Http2Bytes.frame(4, 0, 0, 6);
    private static final byte[] PING = Http2Bytes.frame(6, 0, 0, 8);
    private static final byte[] WHOLE = Http2Bytes.frame(1, 5, 1, 20);
    private static final byte[] BEGIN = Http2Bytes.frame(1, 1, 1, 20);
    private static final byte[] MORE = Http2Bytes.frame(9, 0, 1, 3);
    private static final byte[] NOTHING = Http2Bytes.frame(9, 0, 1, 0);
    private static final byte[] LAST = Http2Bytes.frame(9, 4, 1, 5);
    private static final byte[] BODY = Http2Bytes.frame(0, 1, 1, LONGEST);

    private final Http2Frames frames = new Http2Frames(() -> LIMIT);

    private @Nullable Http2Fault read(byte[] bytes) {
        return read(frames, bytes);
    }

    private static @Nullable Http2Fault read(Http2Frames frames, byte[] bytes) {
        return frames.read(Buffers.wrap(HeapMemoryManager.DEFAULT_MEMORY_MANAGER, bytes));
    }

    /** A client that has begun. */
    private Http2Frames begun() {
        assertNull(read(Bytes.join(PREFACE, SETTINGS)));
        return frames;
    }

    @Test
    void prefaceIsOpenUntilTheFirstFrameIsWhole() {
        byte[] all = Bytes.join(PREFACE, SETTINGS);
        for (int i = 0; i < all.length; i++) {
            assertTrue(frames.isOpen(), "before byte " + i);
            assertNull(read(Arrays.copyOfRange(all, i, i + 1)));
        }
        assertFalse(frames.isOpen());
    }

    @Test
    void headIsOpenFromTheHeadOfItsFirstFrameToTheEndOfItsLast() {
        byte[] before = Bytes.join(PREFACE, SETTINGS, PING, BODY);
        byte[] head = Bytes.join(BEGIN, MORE, NOTHING, LAST);
        byte[] all = Bytes.join(before, head, PING, WHOLE, BODY, SETTINGS);
        int begin = before.length + 9;
        int end = before.length + head.length;
        for (int split = 0; split <= all.length; split++) {
            Http2Frames fresh = new Http2Frames(() -> LIMIT);
            assertNull(read(fresh, Arrays.copyOf(all, split)));
            if (split > PREFACE.length + SETTINGS.length && split < end) {
                assertEquals(split >= begin, fresh.isOpen(), "at " + split);
            }
            assertNull(read(fresh, Arrays.copyOfRange(all, split, all.length)));
            assertFalse(fresh.isOpen(), "split at " + split);
            assertEquals(2, fresh.heads());
        }
    }

    @Test
    void wholeHeadIsOpenUntilItsLastByte() {
        begun();
        for (byte one : WHOLE) {
            assertNull(read(new byte[] {one}));
        }
        assertFalse(frames.isOpen());
        assertNull(read(Arrays.copyOf(WHOLE, WHOLE.length - 1)));
        assertTrue(frames.isOpen());
        assertNull(read(new byte[1]));
        assertFalse(frames.isOpen());
    }

    @Test
    void headInManyFramesIsRefused() {
        begun();
        assertNull(read(BEGIN));
        for (int i = 1; i < MOST; i++) {
            assertNull(read(NOTHING));
        }
        assertEquals(Http2Fault.HEAD_IN_TOO_MANY_FRAMES, read(NOTHING));
    }

    @Test
    void headOfManyBytesIsRefusedBeforeTheyCome() {
        begun();
        assertNull(read(Http2Bytes.frame(1, 4, 1, LIMIT)));
        assertNull(read(Http2Bytes.frame(1, 0, 3, LIMIT - 8)));
        assertNull(read(LAST));
        assertNull(read(Http2Bytes.frame(1, 0, 5, LIMIT - 4)));
        assertEquals(Http2Fault.HEAD_TOO_LONG, read(Arrays.copyOf(LAST, 9)));
    }

    @Test
    void longFrameIsRefusedBeforeItComes() {
        begun();
        assertNull(read(BODY));
        byte[] longer = Http2Bytes.frame(0, 0, 1, LONGEST + 1);
        assertEquals(Http2Fault.FRAME_TOO_LONG, read(Arrays.copyOf(longer, 9)));
    }
}
