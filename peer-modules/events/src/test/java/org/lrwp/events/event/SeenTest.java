package org.lrwp.events.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.runtime.module.Neighbours.Origin;

import java.util.List;

class SeenTest {
    private static final Origin A = new Origin("a", (1L << 53) - 1);
    private static final Origin B = new Origin("web-1_b", 0);

    @Test
    void itIsReadAsItWasWritten() {
        Seen seen = new Seen(List.of(new Seen.Part(A, 5), new Seen.Part(B, 70)));
        assertEquals(seen, Seen.parse(seen.toString()));
        EventId id = new EventId(1, 2, seen.toString());
        assertEquals(id, EventId.parse(id.toString()));
        assertEquals(A, seen.writer());
        assertEquals(70, seen.number(B));
        assertEquals(0, seen.number(new Origin("a", 1)));
        assertTrue(seen.has(new Seen.Part(A, 5)));
        assertFalse(seen.has(new Seen.Part(A, 6)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a.b", "a.b.c", "a.!.1", "a.b.1,", ".b.1", "a.b.1.2", "a.B.1"})
    void whatIsNoneIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Seen.parse(text));
    }

    @Test
    void thereIsALimit() {
        String most = "a.b.1" + ",a.b.1".repeat(Seen.MOST_PARTS - 1);
        assertEquals(Seen.MOST_PARTS, Seen.parse(most).parts().size());
        assertThrows(IllegalArgumentException.class, () -> Seen.parse(most + ",a.b.1"));
        assertThrows(IllegalArgumentException.class, () -> EventId.parse("1.2@"));
    }
}
