package org.lrwp.engine.agent;

import org.lrwp.engine.time.NanoClock;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes guessing slow: after so many wrong proofs within a minute from one source, the refusal of
 * each further one waits longer. A right proof never waits. Thread-safe, never blocks.
 */
final class WrongProofs {
    private static final long WINDOW = Duration.ofMinutes(1).toNanos();
    private static final long FIRST_PAUSE = Duration.ofSeconds(1).toNanos();
    private static final int MOST_DOUBLINGS = 5;

    /** Those that guessed last are kept. */
    private static final int MOST_SOURCES = 10_000;

    private final int perMinute;
    private final NanoClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final Map<String, Guesses> bySource = new LinkedHashMap<>(16, 0.75f, true);

    /** What one source has tried within the present window. */
    private static final class Guesses {
        private long since;
        private int count;
        private int pauses;
    }

    WrongProofs(int perMinute, NanoClock clock) {
        this.perMinute = perMinute;
        this.clock = clock;
    }

    /** Books a wrong proof; returns how long its refusal waits. */
    long pauseNanos(String source) {
        lock.lock();
        try {
            long now = clock.nanos();
            Guesses guesses = bySource.computeIfAbsent(source, key -> new Guesses());
            if (guesses.count == 0 || now - guesses.since >= WINDOW) {
                // A minute with few of them is forgiven.
                guesses.pauses = guesses.count > perMinute ? guesses.pauses : 0;
                guesses.since = now;
                guesses.count = 0;
            }
            guesses.count++;
            if (bySource.size() > MOST_SOURCES) {
                bySource.remove(bySource.keySet().iterator().next());
            }
            if (guesses.count <= perMinute && guesses.pauses == 0) {
                return 0;
            }
            int doublings = Math.min(guesses.pauses, MOST_DOUBLINGS);
            guesses.pauses++;
            return FIRST_PAUSE << doublings;
        } finally {
            lock.unlock();
        }
    }
}
