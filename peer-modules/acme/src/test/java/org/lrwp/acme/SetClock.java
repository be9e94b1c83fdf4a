package org.lrwp.acme;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/** A clock that the test sets, and a timer that runs by it on the test's thread. */
final class SetClock implements InstantSource, Timer {
    private record Task(Instant at, Runnable run) {}

    private final List<Task> tasks = new ArrayList<>();
    private Instant now;
    private boolean closed;

    SetClock(Instant now) {
        this.now = now;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public void after(Duration time, Runnable task) {
        if (closed) {
            throw new RejectedExecutionException("closed");
        }
        tasks.add(new Task(now.plus(time), task));
    }

    @Override
    public void close() {
        closed = true;
        tasks.clear();
    }

    /** Lets time pass; whatever falls due meanwhile runs at its time. */
    void advance(Duration time) {
        Instant end = now.plus(time);
        while (true) {
            Task first =
                    tasks.stream()
                            .filter(task -> !task.at().isAfter(end))
                            .min(Comparator.comparing(Task::at))
                            .orElse(null);
            if (first == null) {
                break;
            }
            tasks.remove(first);
            now = first.at();
            first.run().run();
        }
        now = end;
    }

    /** Sets the clock without the timer: the machine has slept, or somebody has set it. */
    void jump(Duration time) {
        now = now.plus(time);
    }

    boolean isClosed() {
        return closed;
    }
}
