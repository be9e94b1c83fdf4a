package org.lrwp.systemtests.domain;

import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Wait;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Clients that ask the same thing all the time, and remember what they got. */
final class SteadyClients implements AutoCloseable {
    private final int port;
    private final String target;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> running = new ArrayList<>();
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private long served;
    private long longestNanos;
    private long firstFailure;
    private long lastFailure;
    private volatile boolean over;

    SteadyClients(int port, String target, int count) {
        this.port = port;
        this.target = target;
        for (int i = 0; i < count; i++) {
            running.add(threads.submit(this::ask));
        }
    }

    private void ask() {
        while (!over) {
            try (RawHttp client = RawHttp.to(port)) {
                while (!over && !client.isToldToClose()) {
                    long begin = System.nanoTime();
                    HttpAnswer answer = client.get(target);
                    boolean right = answer.status() == 200 && answer.text().equals("served");
                    remember(right ? "right" : "" + answer.status(), begin);
                }
            } catch (SocketTimeoutException e) {
                remember("no answer", System.nanoTime());
            } catch (IOException e) {
                remember("cut", System.nanoTime());
            }
        }
    }

    private synchronized void remember(String outcome, long begin) {
        long now = System.nanoTime();
        outcomes.merge(outcome, 1, Integer::sum);
        longestNanos = Math.max(longestNanos, now - begin);
        if (outcome.equals("right")) {
            served++;
        } else {
            firstFailure = firstFailure == 0 ? now : firstFailure;
            lastFailure = now;
        }
    }

    private synchronized long served() {
        return served;
    }

    /** Requires right answers to come from now on. */
    void requireServedSince(Duration soon) throws Exception {
        long before = served();
        Wait.require("right answers come", soon, () -> served() > before + running.size());
    }

    /** Ends the clients; what they saw, the times in milliseconds. Each must have had an answer. */
    String stop() throws Exception {
        over = true;
        for (Future<?> one : running) {
            one.get();
        }
        synchronized (this) {
            if (outcomes.containsKey("no answer")) {
                throw new AssertionError("requests without an answer: " + outcomes);
            }
            return "%s, not served for %d ms, longest wait %d ms"
                    .formatted(
                            outcomes,
                            Duration.ofNanos(lastFailure - firstFailure).toMillis(),
                            Duration.ofNanos(longestNanos).toMillis());
        }
    }

    @Override
    public void close() {
        over = true;
        threads.close();
    }
}
