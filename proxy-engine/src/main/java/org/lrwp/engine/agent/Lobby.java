package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections that have not registered, in the order in which they were last heard. When there
 * are too many, one makes way: of the source that has most of them, the one that has been silent
 * longest. So neither silence nor a flood from one place keeps anybody else out. Thread-safe, never
 * blocks.
 */
final class Lobby {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final LinkedHashMap<Handshake, Boolean> silentFirst =
            new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, Integer> bySource = new HashMap<>();

    Lobby(int most) {
        this.most = most;
    }

    /** Takes a connection in; returns the one that has to go for it, null when there is room. */
    @Nullable Handshake enter(Handshake handshake) {
        lock.lock();
        try {
            silentFirst.put(handshake, true);
            bySource.merge(source(handshake), 1, Integer::sum);
            if (silentFirst.size() <= most) {
                return null;
            }
            Handshake gone = tooMuch();
            remove(gone);
            return gone;
        } finally {
            lock.unlock();
        }
    }

    private Handshake tooMuch() {
        int largest = Collections.max(bySource.values());
        for (Handshake one : silentFirst.sequencedKeySet()) {
            if (bySource.getOrDefault(source(one), 0) == largest) {
                return one;
            }
        }
        throw new IllegalStateException("the counts are of these connections");
    }

    private static String source(Handshake handshake) {
        return handshake.remote().source();
    }

    /** A connection has said something. */
    void heard(Handshake handshake) {
        lock.lock();
        try {
            silentFirst.get(handshake);
        } finally {
            lock.unlock();
        }
    }

    /** A connection has registered, or is closed. */
    void leave(Handshake handshake) {
        lock.lock();
        try {
            remove(handshake);
        } finally {
            lock.unlock();
        }
    }

    private void remove(Handshake handshake) {
        if (silentFirst.remove(handshake) != null) {
            bySource.computeIfPresent(
                    source(handshake), (key, count) -> count == 1 ? null : count - 1);
        }
    }
}
