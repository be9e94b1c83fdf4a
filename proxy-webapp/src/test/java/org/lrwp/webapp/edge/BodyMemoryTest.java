package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.spool.Handover;

import java.nio.ByteBuffer;

class BodyMemoryTest {
    private final BodyMemory memory = new BodyMemory();

    @ParameterizedTest
    @ValueSource(ints = {1, 128, 129, 256, 257, 1_000, 1_024, 1_025, 8_192, 8_193, 100_000})
    void thereIsRoomForAllAndASpoolTakesItAsItIs(int bytes) {
        for (int i = 0; i < 2; i++) {
            ByteBuffer taken = memory.take(bytes);
            assertEquals(bytes, taken.remaining());
            assertEquals(0, taken.position());
            assertEquals(Handover.GIVEN, Handover.ofUnused(taken));
            taken.position(bytes);
            memory.give(taken);
        }
    }

    @Test
    void memoryIsUsedAgainWhenItIsGivenBackAndNotBefore() {
        ByteBuffer first = memory.take(1_500);
        ByteBuffer second = memory.take(1_500);
        assertNotSame(first, second);
        memory.give(first);

        assertSame(first, memory.take(1_100));
        assertNotSame(first, memory.take(1_100));
    }

    @Test
    void asMuchWaitsAsIsKeptOfASize() {
        ByteBuffer last = memory.take(8_000);
        for (int i = 0; i < 8; i++) {
            memory.give(ByteBuffer.allocate(8_192));
        }
        memory.give(last);
        for (int i = 0; i < 9; i++) {
            assertNotSame(last, memory.take(8_000));
        }
    }

    @Test
    void memoryOfOtherSizesIsNotKept() {
        ByteBuffer odd = ByteBuffer.allocate(1_500);
        ByteBuffer large = ByteBuffer.allocate(16_384);
        memory.give(odd);
        memory.give(large);
        memory.give(ByteBuffer.allocate(0));
        assertNotSame(odd, memory.take(1_500));
        assertNotSame(large, memory.take(16_384));
    }
}
