package org.lrwp.runtime.operation;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Makes guessing of secrets slow: a source that has shown many wrong ones is not listened to for a
 * while. Nobody else notices. Any thread; never blocks.
 */
public final class GuessLimit {
    /** Sources that have guessed; above it nobody is listened to until one is forgotten. */
    private static final int MOST_SOURCES = 10_000;

    private final int most;
    private final Duration pause;
    private final LongSupplier clock;
    private final Map<String, Wrong> wrong = new ConcurrentHashMap<>();

    /** What a source has shown. */
    private record Wrong(int count, long until) {}

    /**
     * Creates a limit.
     *
     * @param most wrong secrets of a source with less than the pause between them; after as many it
     *     is not listened to
     * @param pause for how long
     * @param clock a monotonic clock, in nanoseconds
     */
    public GuessLimit(int most, Duration pause, LongSupplier clock) {
        this.most = most;
        this.pause = pause;
        this.clock = clock;
    }

    /**
     * Says whether a source is not listened to at present.
     *
     * @param source whoever may guess: an address as text, or an account
     * @return whether what it shows is not to be looked at
     */
    public boolean isReached(String source) {
        long now = clock.getAsLong();
        Wrong known =
                wrong.computeIfPresent(source, (key, old) -> old.until - now > 0 ? old : null);
        if (known == null && wrong.size() >= MOST_SOURCES) {
            wrong.values().removeIf(old -> old.until - now <= 0);
        }
        return known == null ? wrong.size() >= MOST_SOURCES : known.count >= most;
    }

    /**
     * Notes that a source has shown a wrong secret.
     *
     * @param source whoever did
     */
    public void addWrong(String source) {
        long until = clock.getAsLong() + pause.toNanos();
        wrong.merge(source, new Wrong(1, until), (old, more) -> new Wrong(old.count + 1, until));
    }
}
