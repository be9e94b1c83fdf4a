package org.lrwp.engine.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Loops are woken once for many tasks. */
class WakeupsTest {
    private final List<String> woken = new ArrayList<>();
    private final Loop one = new Loop(woken, "one");
    private final Loop other = new Loop(woken, "other");

    /** A loop that says when it is woken. */
    private record Loop(List<String> woken, String name) implements Runnable {
        @Override
        public void run() {
            woken.add(name);
        }
    }

    @Test
    void eachLoopIsWokenOnceBehindTheWork() {
        Wakeups.together(
                () -> {
                    Wakeups.wake(one);
                    Wakeups.wake(other);
                    Wakeups.wake(one);
                    assertEquals(List.of(), woken);
                });
        assertEquals(List.of("one", "other"), woken);
    }

    @Test
    void otherThreadsAndLaterTasksWakeAtOnce() {
        Wakeups.together(() -> {});
        Wakeups.wake(one);
        assertEquals(List.of("one"), woken);
    }

    @Test
    void workThatFailsWakesWhatItHasGivenTasks() {
        assertThrows(
                IllegalStateException.class,
                () ->
                        Wakeups.together(
                                () -> {
                                    Wakeups.wake(one);
                                    throw new IllegalStateException();
                                }));
        assertEquals(List.of("one"), woken);
    }
}
