package org.lrwp.runtime.operation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class TimedThreadsTest {
    @Test
    @Timeout(30)
    void aTaskThatComesAtTheEndStillRuns() throws InterruptedException {
        var threads = new TimedThreads("test", Duration.ofMinutes(1));
        threads.close();
        var done = new CountDownLatch(1);
        threads.execute(done::countDown);
        assertTrue(done.await(20, TimeUnit.SECONDS));
    }
}
