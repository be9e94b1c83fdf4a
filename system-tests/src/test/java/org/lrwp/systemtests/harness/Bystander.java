package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A client that asks one request after another while others attack. One thread. */
public final class Bystander implements AutoCloseable {
    private static final long PAUSE_NANOS = Duration.ofMillis(1).toNanos();
    private static final int WINDOW = 100;

    private final String path;
    private final String expected;
    private final RawHttp client;

    /**
     * How long its requests took.
     *
     * @param p99 99 of a hundred were faster; the median of all hundreds, as one pause of the
     *     machine says nothing
     * @param longest the slowest one
     * @param count how many there were
     */
    public record Times(Duration p99, Duration longest, int count) {
        /** Requires that an attack has at most doubled the time, or that nobody would notice. */
        public void requireAtMostTwice(Times before, Duration unnoticed) {
            Duration twice = before.p99.multipliedBy(2);
            Duration most = twice.compareTo(unnoticed) > 0 ? twice : unnoticed;
            if (p99.compareTo(most) > 0) {
                throw new AssertionError("before " + before + ", meanwhile " + this);
            }
        }

        @Override
        public String toString() {
            return "p99 %.1f ms, longest %.1f ms of %d"
                    .formatted(p99.toNanos() / 1e6, longest.toNanos() / 1e6, count);
        }
    }

    /** Connects. The answer to each request has to be this text. */
    public Bystander(int port, String path, String expected) throws IOException {
        this.path = path;
        this.expected = expected;
        this.client = RawHttp.to(port);
    }

    /** Asks for a time. */
    public Times ask(Duration time) throws IOException {
        long end = System.nanoTime() + time.toNanos();
        return ask(() -> System.nanoTime() < end);
    }

    /** Asks until something else is over. */
    public Times askWhile(Future<?> attack) throws IOException {
        return ask(() -> !attack.isDone());
    }

    private Times ask(BooleanSupplier on) throws IOException {
        List<Long> times = new ArrayList<>();
        while (on.getAsBoolean() || times.size() < WINDOW) {
            long begin = System.nanoTime();
            String answer = client.get(path).text();
            times.add(System.nanoTime() - begin);
            if (!answer.equals(expected)) {
                throw new AssertionError("not the answer: " + answer);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        List<Long> p99s = new ArrayList<>();
        for (int at = 0; at + WINDOW <= times.size(); at += WINDOW) {
            List<Long> hundred = new ArrayList<>(times.subList(at, at + WINDOW));
            hundred.sort(null);
            p99s.add(hundred.get(WINDOW - 2));
        }
        p99s.sort(null);
        times.sort(null);
        return new Times(
                Duration.ofNanos(p99s.get(p99s.size() / 2)),
                Duration.ofNanos(times.getLast()),
                times.size());
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
