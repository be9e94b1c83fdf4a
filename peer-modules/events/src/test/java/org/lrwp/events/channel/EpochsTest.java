package org.lrwp.events.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.lrwp.events.event.EventId;

import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.TreeMap;

class EpochsTest {
    private static SequencedMap<Long, Long> runs(int count) {
        TreeMap<Long, Long> runs = new TreeMap<>();
        for (long i = 1; i <= count; i++) {
            runs.put(100 + i, 10 * i);
        }
        return runs;
    }

    @Test
    void positionOfARunBeforeIsKnown() {
        Epochs epochs = Epochs.begin(runs(2), 500);

        assertEquals(500, epochs.current());
        assertEquals(OptionalLong.of(7), epochs.position(new EventId(101, 7), 30));
        assertEquals(OptionalLong.of(25), epochs.position(new EventId(500, 25), 30));
        assertEquals(OptionalLong.empty(), epochs.position(new EventId(500, 31), 30));
        assertEquals(OptionalLong.empty(), epochs.position(new EventId(99, 1), 30));
    }

    @Test
    void whatARunShowedAndLostIsNothingThatComesNow() {
        Epochs epochs = Epochs.begin(runs(2), 500);

        assertEquals(OptionalLong.of(20), epochs.position(new EventId(102, 23), 30));
    }

    @Test
    void clockThatWasSetBackGivesNoEpochTwice() {
        assertEquals(103, Epochs.begin(runs(2), 50).current());
    }

    @Test
    void runsBeforeAreLimited() {
        Epochs epochs = Epochs.begin(runs(100), 500);

        assertEquals(63, epochs.before().size());
        assertEquals(200, epochs.before().lastEntry().getKey());
    }
}
