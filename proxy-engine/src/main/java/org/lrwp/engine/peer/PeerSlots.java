package org.lrwp.engine.peer;

import org.lrwp.engine.exchange.Attempt;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The slots of one connection that has many: how many there are, how many are taken, whose requests
 * are stuck, and whom a free one is offered. Any thread, but for the capacity: that is set by the
 * connection.
 */
public final class PeerSlots {
    private final PeerConnection connection;
    private final PeerEnvironment environment;
    private final PeerLog log;
    private final Runnable whenFreed;
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicLong served = new AtomicLong();
    private final Map<PeerCall, Attempt> stuck = new ConcurrentHashMap<>();
    private volatile int capacity;
    private volatile boolean open;

    /**
     * Creates slots that cannot be claimed yet.
     *
     * @param connection whose they are
     * @param environment what it shares with all others
     * @param log the connection's
     * @param whenFreed called when a slot is free and must not be claimed any more
     */
    public PeerSlots(
            PeerConnection connection,
            PeerEnvironment environment,
            PeerLog log,
            Runnable whenFreed) {
        this.connection = connection;
        this.environment = environment;
        this.log = log;
        this.whenFreed = whenFreed;
    }

    PeerConnection connection() {
        return connection;
    }

    PeerLog log() {
        return log;
    }

    // ---- Slots come and go.

    /**
     * Takes a slot, by one compare-and-set.
     *
     * @return false when none is free
     */
    public boolean claim() {
        int taken = busy.get();
        while (open && taken < capacity) {
            if (busy.compareAndSet(taken, taken + 1)) {
                return true;
            }
            taken = busy.get();
        }
        return false;
    }

    void release() {
        busy.decrementAndGet();
    }

    /** Slots can be claimed from now on. */
    public void open() {
        environment.work().opens(connection);
        open = true;
    }

    /** No slot can be claimed any more, and the contexts let go of the connection. */
    public void close() {
        open = false;
        environment.work().leaving(connection);
    }

    /**
     * The same, while requests go on.
     *
     * @param event who wants it so, for the log
     * @param requests how many go on
     */
    public void drain(String event, int requests) {
        open = false;
        log.draining(event, requests);
        environment.work().drains(connection, event);
        close();
    }

    /**
     * Sets how many there are.
     *
     * @param count at least 1
     */
    public void capacity(int count) {
        capacity = count;
    }

    /** A slot may be free: it is offered to those that wait, unless the connection drains. */
    public void slotFree() {
        if (open) {
            environment.work().slotFree(connection);
        } else {
            whenFreed.run();
        }
    }

    // ---- Requests.

    /** A request was cancelled: it is stuck until its peer lets go of it. */
    void stuck(PeerCall call, Attempt attempt) {
        stuck.put(call, attempt);
    }

    void letGo(PeerCall call) {
        stuck.remove(call);
    }

    void answered() {
        served.incrementAndGet();
    }

    long now() {
        return environment.clock().nanos();
    }

    PeerConfig limits(String context) {
        return environment.limits().of(context);
    }

    // ---- Views.

    /** {@return how many there are, those that are taken included} */
    public int capacity() {
        return capacity;
    }

    /** {@return how many are taken, those of stuck requests included} */
    public int busy() {
        return busy.get();
    }

    /**
     * Returns how many can be claimed now.
     *
     * @return 0 to {@link #capacity()}
     */
    public int free() {
        return open ? Math.max(0, capacity - busy.get()) : 0;
    }

    /** {@return how many requests have been answered} */
    public long served() {
        return served.get();
    }

    /**
     * Returns a picture for status pages.
     *
     * @param version of the protocol
     * @param contexts what the connection serves
     * @param state what it is doing
     * @return the connection as it is now
     */
    public PeerStatus status(String version, List<ServedContext> contexts, Enum<?> state) {
        return new PeerStatus(
                connection.peerName(),
                "",
                "",
                PeerInstance.nameOf(connection),
                "",
                version,
                contexts,
                state.name().toLowerCase(Locale.ROOT),
                capacity,
                busy.get(),
                PeerWeight.USUAL,
                served.get(),
                0,
                stuck.values().stream().map(Attempt::exchangeStatus).toList());
    }
}
