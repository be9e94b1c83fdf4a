package org.lrwp.webapp.metrics;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.webapp.operations.ContextTotals;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjLongConsumer;

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
    private final Map<Failure, LongAdder> retries = new ConcurrentHashMap<>();
    private final Durations queued = new Durations();
    private final Durations withPeer = new Durations();
    private final Durations firstByte = new Durations();
    private final Durations whole = new Durations();

    /** The usual reasons are there from the start: what begins at 0 has a rate at once. */
    ContextFigures() {
        retries.put(Failure.PEER_GONE, new LongAdder());
        retries.put(Failure.REFUSED, new LongAdder());
    }

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
        queued.add(request.queueNanos());
        withPeer.add(request.peerNanos());
        if (request.firstByteNanos() > 0) {
            firstByte.add(request.firstByteNanos());
        }
        whole.add(request.totalNanos());
    }

    void countRetry(Failure why) {
        retries.computeIfAbsent(why, reason -> new LongAdder()).increment();
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
                retries.values().stream().mapToLong(LongAdder::sum).sum(),
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

    /** How often requests went to another connection, by what became of them before. */
    void retries(ObjLongConsumer<Failure> taker) {
        retries.forEach((why, count) -> taker.accept(why, count.sum()));
    }

    Durations queued() {
        return queued;
    }

    Durations withPeer() {
        return withPeer;
    }

    Durations firstByte() {
        return firstByte;
    }

    Durations whole() {
        return whole;
    }
}
