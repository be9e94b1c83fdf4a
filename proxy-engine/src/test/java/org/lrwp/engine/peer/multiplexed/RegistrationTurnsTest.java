package org.lrwp.engine.peer.multiplexed;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
    }

    private void ask(int count, long delayNanos) throws MalformedFrameException {
        for (int i = 0; i < count; i++) {
            turns.take(new ContextName("c" + asked++, ""), true, delayNanos);
        }
    }

    @Test
    void ofManyAtOnceAHundredAreAnsweredBeforeOtherConnectionsHaveTheirTurn()
            throws MalformedFrameException {
        turns.begin();
        ask(250, 0);
        assertEquals(100, answered.size());
        assertEquals(List.of(0L), calls);

        turns.run();
        assertEquals(200, answered.size());
        turns.run();
        assertEquals(250, answered.size());
        assertEquals(List.of(0L, 0L), calls);
        assertEquals("c249", answered.getLast());
    }

    @Test
    void whoComesLaterWaitsBehindThoseThatWait() throws MalformedFrameException {
        turns.begin();
        ask(101, 0);
        turns.begin();
        ask(1, 0);
        assertEquals(100, answered.size());
        turns.run();
        assertEquals(List.of("c100", "c101"), answered.subList(100, 102));
    }

    @Test
    void whenTooManyWaitForOtherConnectionsTheOldestIsAnsweredAtOnce()
            throws MalformedFrameException {
        turns.begin();
        ask(100 + MOST + 50, 0);
        assertEquals(150, answered.size());
        assertEquals("c149", answered.getLast());
    }

    @Test
    void tooManyWhoseTurnHasNotComeAreAnError() throws MalformedFrameException {
        ask(MOST, 10);
        var error = assertThrows(MalformedFrameException.class, () -> ask(1, 10));
        assertTrue(String.valueOf(error.getMessage()).contains("while 1000 answers wait"));
        assertEquals(List.of(), answered);
        now = 10;
        turns.run();
        assertEquals(100, answered.size());
    }
}
