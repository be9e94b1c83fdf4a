package org.lrwp.engine.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.NanoClock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Clock and deadlines that stand still until {@link #advance} moves them. One thread. */
public final class ManualTime implements NanoClock, Deadlines {
    // Not zero, and so that it overflows in the middle of long tests: only differences count.
    private long now = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();
    private long order;
    private final List<Task> tasks = new ArrayList<>();

    private record Task(long at, long order, Runnable action) {}

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Deadline after(long delayNanos, Runnable task) {
        Task planned = new Task(now + Math.max(0, delayNanos), order++, task);
        tasks.add(planned);
        return () -> tasks.remove(planned);
    }

    /** Moves time on and calls what is due on the way, in order. */
    public void advance(Duration by) {
        long end = now + by.toNanos();
        Task next = next(end);
        while (next != null) {
            tasks.remove(next);
            now = next.at();
            next.action().run();
            next = next(end);
        }
        now = end;
    }

    private @Nullable Task next(long end) {
        return tasks.stream()
                .filter(task -> task.at() - end <= 0)
                .min(
                        Comparator.comparingLong((Task task) -> task.at() - end)
                                .thenComparingLong(Task::order))
                .orElse(null);
    }

    /** How many calls are arranged. */
    public int planned() {
        return tasks.size();
    }

    /** How many calls have been arranged so far. */
    public long arranged() {
        return order;
    }
}
