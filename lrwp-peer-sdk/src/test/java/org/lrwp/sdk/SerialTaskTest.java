package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

class SerialTaskTest {
    private static SerialTask task(Runnable what) {
        return new SerialTask() {
            @Override
            protected void turn() {
                what.run();
            }
        };
    }

    @Test
    void taskThatAsksForItselfRunsOnceMoreAfterwards() {
        List<String> events = new ArrayList<>();
        SerialTask[] task = new SerialTask[1];
        task[0] =
                task(
                        () -> {
                            events.add("in");
                            if (events.size() < 3) {
                                task[0].run();
                            }
                            events.add("out");
                        });

        task[0].run();

        assertEquals(List.of("in", "out", "in", "out"), events);
    }

    @Test
    void heldTaskRunsWhenItIsReleased() {
        var runs = new AtomicInteger();
        var turns = task(runs::incrementAndGet);

        turns.hold();
        turns.run();
        assertEquals(0, runs.get());
        turns.release();

        assertEquals(1, runs.get());
    }

    @Test
    void manyThreadsNeverRunItAtTheSameTimeAndNoMarkIsLost() throws InterruptedException {
        var inside = new AtomicInteger();
        var overlaps = new AtomicInteger();
        var marks = new AtomicInteger();
        var seen = new AtomicInteger();
        var turns =
                task(
                        () -> {
                            if (inside.incrementAndGet() > 1) {
                                overlaps.incrementAndGet();
                            }
                            seen.set(marks.get());
                            inside.decrementAndGet();
                        });
        var done = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            Thread.ofPlatform()
                    .start(
                            () -> {
                                for (int j = 0; j < 20_000; j++) {
                                    marks.incrementAndGet();
                                    turns.run();
                                }
                                done.countDown();
                            });
        }

        done.await();

        assertEquals(0, overlaps.get());
        assertEquals(80_000, seen.get());
    }
}
