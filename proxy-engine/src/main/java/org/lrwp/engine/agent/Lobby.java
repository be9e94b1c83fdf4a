package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections that have not registered, in the order in which they were last heard. When there
 * are too many, the one that has been silent longest makes way, so that silence keeps nobody out.
 * Thread-safe, never blocks.
 */
final class Lobby {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final LinkedHashMap<Handshake, Boolean> silentFirst =
            new LinkedHashMap<>(16, 0.75f, true);

    Lobby(int most) {
        this.most = most;
    }

    /** Takes a connection in; returns the one that has to go for it, null when there is room. */
    @Nullable Handshake enter(Handshake handshake) {
        lock.lock();
        try {
            silentFirst.put(handshake, true);
            return silentFirst.size() > most ? silentFirst.pollFirstEntry().getKey() : null;
        } finally {
            lock.unlock();
        }
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
            silentFirst.remove(handshake);
        } finally {
            lock.unlock();
        }
    }
}
