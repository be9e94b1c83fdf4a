package org.lrwp.engine.peer.multiplexed;

import org.lrwp.engine.peer.PeerText;
import org.lrwp.engine.peer.ServedContext;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * What one connection serves, in the order of its registrations. The link's loop changes it, any
 * thread may look. None of the steps of a registration depends on how many there are.
 */
final class ContextSet {
    /** Named in one line of the log; of more their number is told. */
    private static final int MOST_NAMED = 20;

    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final Set<ServedContext> contexts = new LinkedHashSet<>();

    boolean contains(ServedContext context) {
        lock.lock();
        try {
            return contexts.contains(context);
        } finally {
            lock.unlock();
        }
    }

    void add(ServedContext context) {
        lock.lock();
        try {
            contexts.add(context);
        } finally {
            lock.unlock();
        }
    }

    boolean remove(ServedContext context) {
        lock.lock();
        try {
            return contexts.remove(context);
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return contexts.size();
        } finally {
            lock.unlock();
        }
    }

    List<ServedContext> list() {
        lock.lock();
        try {
            return List.copyOf(contexts);
        } finally {
            lock.unlock();
        }
    }

    /** The names, for logs. */
    String names() {
        List<ServedContext> all = list();
        String first =
                all.stream()
                        .limit(MOST_NAMED)
                        .map(context -> PeerText.escape(context.context()))
                        .collect(Collectors.joining(","));
        int more = all.size() - MOST_NAMED;
        return more > 0 ? first + ",and-" + more + "-more" : first;
    }
}
