package org.lrwp.osp.routing;

import org.lrwp.osp.routing.Destination.Expectation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * How calls to each destination went, over a sliding window of minutes: the share that was answered
 * (ASR), the mean length (ACD) and the mean post dial delay (PDD). A destination that falls short
 * of what is expected of it is suspended for a time. Any thread may call it.
 */
final class DestinationQuality {
    private static final int PARTS = 10;
    private static final int PERCENT = 100;

    /**
     * How quality is judged.
     *
     * @param window how far back calls count
     * @param attempts how many attempts it takes to judge
     * @param suspension how long a destination is left out
     */
    record Rule(Duration window, int attempts, Duration suspension) {}

    /** What happened in a tenth of the window. */
    private static final class Part {
        private long number = -1;
        private int attempts;
        private int answered;
        private long seconds;
        private long delayed;
        private long delayMillis;
    }

    private static final class History {
        private final Part[] parts = new Part[PARTS];
        private boolean suspended;
        private long suspendedUntil;

        History() {
            for (int i = 0; i < PARTS; i++) {
                parts[i] = new Part();
            }
        }

        void forget() {
            for (Part part : parts) {
                part.number = -1;
            }
        }
    }

    private final Consumer<String> log;
    private final Map<String, History> histories = new TreeMap<>();
    private Rule rule;

    DestinationQuality(Rule rule, Consumer<String> log) {
        this.rule = rule;
        this.log = log;
    }

    /** Judges by another rule; with another window what was counted is forgotten. */
    synchronized void judgeBy(Rule next) {
        if (!next.window().equals(rule.window())) {
            histories.values().forEach(History::forget);
        }
        rule = next;
    }

    synchronized boolean isSuspended(String destination, long now) {
        History history = histories.get(destination);
        if (history == null || !history.suspended) {
            return false;
        }
        if (now - history.suspendedUntil < 0) {
            return true;
        }
        history.suspended = false;
        log.accept("destination-resumed destination=" + destination);
        return false;
    }

    /** Counts an attempt; a length of 0 is one that was not answered, a delay below 0 unknown. */
    synchronized void attempt(Destination destination, long seconds, long delayMillis, long now) {
        History history = histories.computeIfAbsent(destination.name(), any -> new History());
        long number = now / (rule.window().toNanos() / PARTS);
        Part part = history.parts[(int) Math.floorMod(number, (long) PARTS)];
        if (part.number != number) {
            part.number = number;
            part.attempts = 0;
            part.answered = 0;
            part.seconds = 0;
            part.delayed = 0;
            part.delayMillis = 0;
        }
        part.attempts++;
        if (seconds > 0) {
            part.answered++;
            part.seconds += seconds;
        }
        if (delayMillis >= 0) {
            part.delayed++;
            part.delayMillis += delayMillis;
        }
        judge(destination, history, figures(history, number), now);
    }

    private void judge(Destination destination, History history, Figures now, long nanos) {
        Expectation expected = destination.quality();
        if (history.suspended || now.attempts() < rule.attempts()) {
            return;
        }
        if (now.asr() < expected.answered()
                || (now.answered() > 0 && now.acd() < expected.seconds())
                || (expected.delay() > 0 && now.pdd() > expected.delay())) {
            history.suspended = true;
            history.suspendedUntil = nanos + rule.suspension().toNanos();
            history.forget();
            log.accept(
                    "destination-suspended destination="
                            + destination.name()
                            + " seconds="
                            + rule.suspension().toSeconds()
                            + " "
                            + now);
        }
    }

    /** The figures of a window. */
    private record Figures(int attempts, int answered, long seconds, long delayed, long millis) {
        long asr() {
            return attempts == 0 ? PERCENT : (long) answered * PERCENT / attempts;
        }

        long acd() {
            return answered == 0 ? 0 : seconds / answered;
        }

        long pdd() {
            return delayed == 0 ? 0 : millis / delayed;
        }

        @Override
        public String toString() {
            return "attempts=" + attempts + " asr=" + asr() + " acd=" + acd() + " pdd-ms=" + pdd();
        }
    }

    private static Figures figures(History history, long number) {
        int attempts = 0;
        int answered = 0;
        long seconds = 0;
        long delayed = 0;
        long millis = 0;
        for (Part part : history.parts) {
            if (part.number >= 0 && number - part.number < PARTS) {
                attempts += part.attempts;
                answered += part.answered;
                seconds += part.seconds;
                delayed += part.delayed;
                millis += part.delayMillis;
            }
        }
        return new Figures(attempts, answered, seconds, delayed, millis);
    }

    /** A line for each destination that had calls. */
    synchronized List<String> report(long now) {
        List<String> lines = new ArrayList<>();
        long number = now / (rule.window().toNanos() / PARTS);
        histories.forEach(
                (name, history) ->
                        lines.add(
                                "destination="
                                        + name
                                        + " suspended="
                                        + (history.suspended && now - history.suspendedUntil < 0)
                                        + " "
                                        + figures(history, number)));
        return lines;
    }
}
