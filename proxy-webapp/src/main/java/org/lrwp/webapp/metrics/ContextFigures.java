package org.lrwp.webapp.metrics;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.webapp.operations.ContextTotals;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What has become of the requests of one context. Thread-safe; counting takes no lock, and memory
 * only for an outcome that is new.
 */
final class ContextFigures {
    private static final int HUNDRED = 100;

    /** Classes of statuses: nothing was sent, 1xx to 5xx, and what is in none of these. */
    private static final String[] CLASSES = {"0", "1xx", "2xx", "3xx", "4xx", "5xx", "other"};

    private final ConcurrentHashMap<String, LongAdder[]> outcomes = new ConcurrentHashMap<>();
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final Durations queued = new Durations();
    private final Durations withPeer = new Durations();
    private final Durations whole = new Durations();

    /** Takes the count of an outcome. */
    @FunctionalInterface
    interface Outcomes {
        void add(String outcome, String status, long count);
    }

    void count(ExchangeRecord request) {
        LongAdder[] classes = outcomes.get(request.reason());
        if (classes == null) {
            classes = outcomes.computeIfAbsent(request.reason(), reason -> adders());
        }
        classes[Math.clamp(request.status() / HUNDRED, 0, CLASSES.length - 1)].increment();
        received.add(request.requestBytes());
        sent.add(request.answerBytes());
        if (request.retries() > 0) {
            retries.add(request.retries());
        }
        queued.add(request.queueNanos());
        withPeer.add(request.peerNanos());
        whole.add(request.totalNanos());
    }

    private static LongAdder[] adders() {
        LongAdder[] adders = new LongAdder[CLASSES.length];
        for (int i = 0; i < adders.length; i++) {
            adders[i] = new LongAdder();
        }
        return adders;
    }

    void outcomes(Outcomes taker) {
        outcomes.forEach(
                (reason, classes) -> {
                    for (int i = 0; i < classes.length; i++) {
                        long count = classes[i].sum();
                        if (count > 0) {
                            taker.add(reason, CLASSES[i], count);
                        }
                    }
                });
    }

    ContextTotals totals() {
        return new ContextTotals(
                received.sum(),
                sent.sum(),
                retries.sum(),
                queued.meanMillis(),
                withPeer.meanMillis(),
                whole.meanMillis());
    }

    long received() {
        return received.sum();
    }

    long sent() {
        return sent.sum();
    }

    long retries() {
        return retries.sum();
    }

    Durations queued() {
        return queued;
    }

    Durations withPeer() {
        return withPeer;
    }

    Durations whole() {
        return whole;
    }
}
