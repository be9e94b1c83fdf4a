package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

class GatheringTest {
    private final AtomicLong asked = new AtomicLong();

    /** Each look at the clock takes so long: two for each pause. */
    private Gathering gathering(Duration each) {
        return new Gathering(() -> asked.incrementAndGet() * each.toNanos());
    }

    private long looks(Gathering gathering, int pauses) {
        long before = asked.get();
        for (int i = 0; i < pauses; i++) {
            gathering.pause();
        }
        return asked.get() - before;
    }

    @Test
    void eachWriteHasAPauseAsLongAsTheyAreShort() {
        assertEquals(200, looks(gathering(Duration.ofMillis(2)), 100));
    }

    @Test
    void afterALongPauseTheNextWritesHaveNone() {
        Gathering gathering = gathering(Duration.ofMillis(3));

        assertEquals(2, looks(gathering, 1));
        assertEquals(0, looks(gathering, 64));
        assertEquals(2, looks(gathering, 1));
    }
}
