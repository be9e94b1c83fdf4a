package org.lrwp.engine.context;

import org.lrwp.engine.exchange.Failure;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts how the requests of one context ended. Thread-safe. */
final class Outcomes {
    private final LongAdder answered = new LongAdder();
    private final Map<Failure, LongAdder> failures = new EnumMap<>(Failure.class);

    Outcomes() {
        for (Failure failure : Failure.values()) {
            failures.put(failure, new LongAdder());
        }
    }

    void count(String reason) {
        if (reason.equals("answered")) {
            answered.increment();
            return;
        }
        failures.forEach(
                (failure, counter) -> {
                    if (failure.word().equals(reason)) {
                        counter.increment();
                    }
                });
    }

    Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("answered", answered.sum());
        failures.forEach(
                (failure, counter) -> {
                    long sum = counter.sum();
                    if (sum > 0) {
                        counts.put(failure.word(), sum);
                    }
                });
        return counts;
    }
}
