package org.lrwp.engine.peer;

import org.lrwp.sdk.ExchangeHandler;

import java.util.List;
import java.util.Objects;

/**
 * A module in this process that serves contexts like a peer that has dialled in.
 *
 * @param name its name for logs and status
 * @param contexts what it serves, at least one
 * @param capacity requests it can have at once, at least 1; more wait
 * @param handler answers them
 * @param prompt whether handler and listeners may be called on the thread that brings a request or
 *     has taken bytes of an answer: they never wait. Else each exchange has a virtual thread of its
 *     own while they are called
 * @param onDrain called once, when no new request comes and those that wait for something should be
 *     answered; must not block
 */
public record LocalPeer(
        String name,
        List<ServedContext> contexts,
        int capacity,
        ExchangeHandler handler,
        boolean prompt,
        Runnable onDrain) {
    /** Checks and copies. */
    public LocalPeer {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(onDrain, "onDrain");
        contexts = List.copyOf(contexts);
        if (contexts.isEmpty() || capacity < 1) {
            throw new IllegalArgumentException(contexts.size() + " contexts, capacity " + capacity);
        }
    }
}
