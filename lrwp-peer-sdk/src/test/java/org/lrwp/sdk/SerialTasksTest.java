package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

class SerialTasksTest {
    @Test
    void taskThatIsAddedByATaskRunsBehindIt() {
        List<String> events = new ArrayList<>();
        var tasks = new SerialTasks(Runnable::run);

        tasks.add(
                () -> {
                    tasks.add(() -> events.add("second"));
                    tasks.add(() -> events.add("third"));
                    events.add("first");
                });

        assertEquals(List.of("first", "second", "third"), events);
    }

    @Test
    void executorIsAskedOnceForAllThatWait() {
        List<Runnable> asked = new ArrayList<>();
        List<String> events = new ArrayList<>();
        var tasks = new SerialTasks(asked::add);

        tasks.add(() -> events.add("a"));
        tasks.add(() -> events.add("b"));
        assertEquals(1, asked.size());
        asked.getFirst().run();
        tasks.add(() -> events.add("c"));
        assertEquals(2, asked.size());
        asked.getLast().run();

        assertEquals(List.of("a", "b", "c"), events);
    }

    @Test
    void tasksOfManyThreadsRunOneAtATimeEachInTheOrderOfItsThread() throws Exception {
        int each = 5_000;
        var tasks = new SerialTasks(Runnable::run);
        // No lock: that nothing is lost shows that they run one after another.
        int[] next = new int[4];
        int[] astray = new int[1];
        var done = new CountDownLatch(next.length);
        for (int i = 0; i < next.length; i++) {
            int mine = i;
            Thread.ofPlatform()
                    .start(
                            () -> {
                                for (int j = 0; j < each; j++) {
                                    int number = j;
                                    tasks.add(() -> astray[0] += next[mine]++ == number ? 0 : 1);
                                }
                                tasks.add(done::countDown);
                            });
        }

        done.await();

        assertEquals(0, astray[0]);
        for (int count : next) {
            assertEquals(each, count);
        }
    }
}
