package org.lrwp.engine.peer;

import org.lrwp.engine.time.SharedDeadline;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests that a connection without a loop of its own has: whatever of them is late is looked
 * at, and all can be lost at once. Thread-safe; never blocks.
 */
public final class TimedCalls {
    /** Requests that become late one after the other are looked at together. */
    private static final long LEAST_NANOS = 50_000_000L;

    /** The way of one of the requests. */
    public interface Wire extends CallWire {
        /** {@return the request} */
        PeerCall call();

        /** The peer, or the way to it, is gone. From any thread. */
        void lost();
    }

    private final PeerEnvironment environment;
    private final PeerLog log;
    private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
    private final SharedDeadline deadline;

    /**
     * Creates an empty set.
     *
     * @param environment has clock and deadlines
     * @param log takes a line for each request that is late
     */
    public TimedCalls(PeerEnvironment environment, PeerLog log) {
        this.environment = environment;
        this.log = log;
        this.deadline = new SharedDeadline(environment.deadlines(), LEAST_NANOS, this::lookAtTime);
    }

    /**
     * Adds a request.
     *
     * @param wire its way
     */
    public void add(Wire wire) {
        wires.add(wire);
    }

    /**
     * Removes a request that is over.
     *
     * @param wire its way
     */
    public void remove(Wire wire) {
        wires.remove(wire);
    }

    /**
     * Looks at the time of a request when it may be over, however it changes meanwhile.
     *
     * @param call one that was added
     */
    public void watch(PeerCall call) {
        long now = environment.clock().nanos();
        deadline.within(call.left(now), now);
    }

    private void lookAtTime() {
        long now = environment.clock().nanos();
        for (Wire wire : wires) {
            PeerCall call = wire.call();
            if (call.left(now) <= 0) {
                wire.execute(() -> call.late(log));
            }
            deadline.within(call.left(now), now);
        }
    }

    /** The peer is gone: tells all of them. */
    public void lose() {
        wires.forEach(Wire::lost);
    }

    /** Looks at no time any more. */
    public void close() {
        deadline.close();
    }
}
