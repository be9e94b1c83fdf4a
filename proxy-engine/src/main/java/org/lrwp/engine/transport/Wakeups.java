package org.lrwp.engine.transport;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Wakes loops once for many tasks. A loop that is woken for the first of several runs at once,
 * often in the place of the thread that has woken it, and is waited for and woken again for each. A
 * thread that has many tasks for the loops gives them {@link #together}.
 */
public final class Wakeups {
    private static final ThreadLocal<@Nullable Set<Runnable>> HELD = new ThreadLocal<>();

    private Wakeups() {}

    /**
     * Runs work of a thread that is no loop; the loops that it gives tasks are woken behind it.
     *
     * @param work what gives tasks
     */
    public static void together(Runnable work) {
        Set<Runnable> held = new LinkedHashSet<>();
        HELD.set(held);
        try {
            work.run();
        } finally {
            HELD.remove();
            held.forEach(Runnable::run);
        }
    }

    /**
     * Wakes a loop, now or when the calling thread has given all its tasks.
     *
     * @param wake of the loop: the same object each time
     */
    public static void wake(Runnable wake) {
        Set<Runnable> held = HELD.get();
        if (held == null) {
            wake.run();
        } else {
            held.add(wake);
        }
    }
}
