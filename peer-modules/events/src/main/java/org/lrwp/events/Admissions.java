package org.lrwp.events;

import org.lrwp.events.policy.EventsPolicy;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** How many wait, in all and of each client. Thread-safe. */
final class Admissions {
    private final AtomicInteger all = new AtomicInteger();
    private final ConcurrentHashMap<String, Integer> clients = new ConcurrentHashMap<>();

    /** What becomes of one more. */
    enum Admission {
        ADMITTED,
        CLIENT_HAS_ENOUGH,
        FULL
    }

    Admission admit(String client, EventsPolicy.Admission limits) {
        if (all.incrementAndGet() > limits.all()) {
            all.decrementAndGet();
            return Admission.FULL;
        }
        int count = clients.merge(client, 1, Integer::sum);
        if (count > limits.perClient()) {
            dismiss(client);
            return Admission.CLIENT_HAS_ENOUGH;
        }
        return Admission.ADMITTED;
    }

    void dismiss(String client) {
        all.decrementAndGet();
        clients.computeIfPresent(client, (name, count) -> count == 1 ? null : count - 1);
    }

    int clients() {
        return clients.size();
    }
}
