package org.lrwp.download;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** How many downloads each client has, while that is limited. Thread-safe. */
final class Clients {
    private final Map<String, Integer> counts = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Counts one more, if that is allowed. */
    boolean enter(String client, int most) {
        lock.lock();
        try {
            int count = counts.getOrDefault(client, 0);
            if (count >= most) {
                return false;
            }
            counts.put(client, count + 1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void leave(String client) {
        lock.lock();
        try {
            counts.computeIfPresent(client, (name, count) -> count == 1 ? null : count - 1);
        } finally {
            lock.unlock();
        }
    }
}
