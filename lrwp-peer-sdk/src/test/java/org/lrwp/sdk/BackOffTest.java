package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;

final class BackOffTest {
    private static BackOff aBackOff(RandomGenerator random) {
        return new BackOff(Duration.ofMillis(100), Duration.ofMillis(700), random);
    }

    @Test
    void delaysDoubleUpToTheLimit() {
        Random random = new Random(7);
        BackOff backOff = aBackOff(random);

        for (long ceiling : new long[] {100, 200, 400, 700, 700}) {
            long millis = backOff.next().toMillis();
            assertTrue(millis >= ceiling / 2 && millis <= ceiling, ceiling + ": " + millis);
        }
    }

    @Test
    void delaysOfTwoPeersDiffer() {
        assertTrue(aBackOff(new Random(1)).next().compareTo(aBackOff(new Random(2)).next()) != 0);
    }

    @Test
    void connectionThatHeldStartsTheDelaysAfresh() {
        BackOff backOff = aBackOff(new Random(7));
        backOff.next();
        backOff.next();
        Duration last = backOff.next();

        backOff.held(last.toNanos() - 1);
        assertTrue(backOff.next().toMillis() >= 350);
        backOff.held(Duration.ofSeconds(1).toNanos());
        assertTrue(backOff.next().toMillis() <= 100);
    }

    @Test
    void smallestLimitsWork() {
        BackOff backOff = new BackOff(Duration.ofNanos(1), Duration.ofNanos(1), new Random(1));

        assertTrue(backOff.next().toNanos() <= 1);
        assertEquals(0, backOff.next().toSeconds());
    }

    @Test
    void firstDrainCostsNoDelayAndFurtherOnesDo() {
        BackOff backOff =
                new BackOff(Duration.ofMillis(100), Duration.ofSeconds(10), new Random(1));

        assertEquals(Duration.ZERO, backOff.nextAfterDrain());
        backOff.drained(Duration.ofMillis(1).toNanos());
        assertTrue(backOff.nextAfterDrain().compareTo(Duration.ofMillis(100)) >= 0);
        backOff.drained(Duration.ofSeconds(10).toNanos());
        assertEquals(Duration.ZERO, backOff.nextAfterDrain());
    }
}
