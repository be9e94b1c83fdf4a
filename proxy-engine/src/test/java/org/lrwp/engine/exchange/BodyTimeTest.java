package org.lrwp.engine.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

class BodyTimeTest {
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final AtomicLong clock = new AtomicLong();

    private BodyTime time(long rate) {
        return new BodyTime(
                clock::get,
                new ExchangeConfig(
                        Duration.ZERO,
                        1000,
                        SILENCE,
                        new LeastRate(rate, GRACE),
                        0,
                        Duration.ZERO));
    }

    private void pass(int seconds) {
        clock.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    private static long seconds(int count) {
        return Duration.ofSeconds(count).toNanos();
    }

    @Test
    void withoutARateOnlySilenceCounts() {
        BodyTime time = time(0);
        for (int i = 0; i < 100; i++) {
            assertEquals(seconds(30), time.left(i));
            pass(29);
            time.come();
        }
        pass(30);
        assertEquals(0, time.left(100));
    }

    @Test
    void noRateIsAskedForWithinTheGrace() {
        BodyTime time = time(100);
        assertEquals(seconds(20), time.left(0));
        pass(19);
        assertEquals(seconds(1), time.left(0));
        pass(1);
        assertEquals(0, time.left(1999));
    }

    @Test
    void bytesThatHaveComeBuyTime() {
        BodyTime time = time(100);
        pass(20);
        time.come();
        assertEquals(seconds(5), time.left(2500));
        pass(5);
        assertEquals(0, time.left(2500));
    }

    @Test
    void aBodyAtJustTheRateIsLookedAtOnceASecond() {
        BodyTime time = time(100);
        pass(20);
        assertEquals(seconds(1), time.left(2001));
    }

    @Test
    void whatTheClientIsHeldBackDoesNotCount() {
        BodyTime time = time(100);
        pass(15);
        time.come();
        time.hold(true);
        pass(1000);
        assertEquals(seconds(30), time.left(10));
        time.hold(false);
        assertEquals(seconds(5), time.left(10));
        pass(5);
        assertTrue(time.left(10) <= 0);
    }

    @Test
    void aRateBelowZeroIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new LeastRate(-1, GRACE));
        assertThrows(
                IllegalArgumentException.class, () -> new LeastRate(1, Duration.ofSeconds(-1)));
    }
}
