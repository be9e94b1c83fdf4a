package org.lrwp.engine.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.testkit.ManualTime;

import java.time.Duration;

class SharedDeadlineTest {
    private final ManualTime time = new ManualTime();
    private int looks;
    private final SharedDeadline deadline = new SharedDeadline(time, 20, () -> looks++);

    private void within(long nanos) {
        deadline.within(nanos, time.nanos());
    }

    private void pass(long nanos) {
        time.advance(Duration.ofNanos(nanos));
    }

    @Test
    void itLooksOnceForAllThatAreLater() {
        within(100);
        within(100);
        within(500);
        assertEquals(1, time.arranged());

        pass(99);
        assertEquals(0, looks);
        pass(1);
        assertEquals(1, looks);
        assertEquals(0, time.planned());
    }

    @Test
    void whoIsEarlierTakesThePlaceOfTheOthers() {
        within(100);
        within(50);
        assertEquals(1, time.planned());

        pass(50);
        assertEquals(1, looks);
        pass(50);
        assertEquals(1, looks);
    }

    @Test
    void itIsArmedAgainAfterEachLook() {
        within(100);
        pass(100);
        within(100);
        pass(100);

        assertEquals(2, looks);
    }

    @Test
    void whoIsLateNowWaitsForTheLeastTime() {
        within(-5);
        pass(19);
        assertEquals(0, looks);
        pass(1);
        assertEquals(1, looks);
    }

    @Test
    void whoIsNeverLateArmsNothing() {
        within(SharedDeadline.NEVER);

        assertEquals(0, time.arranged());
    }

    @Test
    void afterItsEndItLooksNoMore() {
        within(100);
        deadline.close();
        within(50);

        assertEquals(0, time.planned());
        pass(200);
        assertEquals(0, looks);
    }
}
