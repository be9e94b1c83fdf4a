package org.lrwp.engine.peer.multiplexed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.ContextName;

import java.util.ArrayList;
import java.util.List;

/** Many registrations at once, and who has to wait. */
class RegistrationTurnsTest {
    private static final int MOST = 1_000;

    private final List<String> answered = new ArrayList<>();
    private final List<Long> calls = new ArrayList<>();
    private final RegistrationTurns turns = new RegistrationTurns(new Desk(), MOST);
    private long now;
    private int asked;
    private boolean reading = true;

    private final class Desk implements RegistrationTurns.Desk {
        @Override
        public void answer(ContextName name, boolean register) {
            answered.add(name.application());
        }

        @Override
        public long now() {
            return now;
        }

        @Override
        public void callAfter(long nanos) {
            calls.add(nanos);
        }

        @Override
        public void reading(boolean on) {
            reading = on;
        }
    }

    private void ask(int count, long delayNanos) throws MalformedFrameException {
        for (int i = 0; i < count; i++) {
            turns.take(new ContextName("c" + asked++, ""), true, delayNanos);
        }
    }

    @Test
    void ofManyAtOnceSixteenAreAnsweredAndThenOthersHaveTheLoopForAMillisecond()
            throws MalformedFrameException {
        turns.begin();
        ask(40, 0);
        assertEquals(16, answered.size());
        assertEquals(List.of(1_000_000L), calls);

        turns.run();
        assertEquals(32, answered.size());
        turns.run();
        assertEquals(40, answered.size());
        assertEquals(List.of(1_000_000L, 1_000_000L), calls);
        assertEquals("c39", answered.getLast());
    }

    @Test
    void whoComesLaterWaitsBehindThoseThatWait() throws MalformedFrameException {
        turns.begin();
        ask(17, 0);
        turns.begin();
        ask(1, 0);
        assertEquals(16, answered.size());
        turns.run();
        assertEquals(List.of("c16", "c17"), answered.subList(16, 18));
    }

    @Test
    void whenTooManyWaitForOtherConnectionsNoMoreAreReadUntilTheyAreFewer()
            throws MalformedFrameException {
        turns.begin();
        ask(16 + MOST, 0);
        assertTrue(reading);
        ask(20, 0);
        assertFalse(reading);
        assertEquals(16, answered.size());

        turns.run();
        assertFalse(reading);
        turns.run();
        assertTrue(reading);
        assertEquals(48, answered.size());
        assertEquals("c47", answered.getLast());
    }

    @Test
    void whoReadsNoMoreIsReadAgainWhenTheRestWaitsForItsTurn() throws MalformedFrameException {
        turns.begin();
        ask(17, 0);
        ask(MOST, 10_000_000);
        assertFalse(reading);
        turns.run();
        assertTrue(reading);
        assertThrows(MalformedFrameException.class, () -> ask(1, 10_000_000));
    }

    @Test
    void tooManyWhoseTurnHasNotComeAreAnError() throws MalformedFrameException {
        ask(MOST, 10);
        var error = assertThrows(MalformedFrameException.class, () -> ask(1, 10));
        assertTrue(String.valueOf(error.getMessage()).contains("while 1000 answers wait"));
        assertEquals(List.of(), answered);
        now = 10;
        turns.run();
        assertEquals(16, answered.size());
    }
}
