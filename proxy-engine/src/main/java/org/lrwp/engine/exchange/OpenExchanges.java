package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * All exchanges whose client has not got its end yet. Thread-safe.
 *
 * <p>Every request passes here twice. So that threads do not wait for each other's caches, each has
 * a list of its own, through the exchanges themselves, and a part of the count.
 */
public final class OpenExchanges implements ExchangeEnvironment.End {
    private static final long LOOK_NANOS = 20_000_000L;

    /** More than there are threads that read clients; a power of two. */
    private static final int LISTS = 64;

    /** Odd: threads that follow each other get lists that do not lie side by side in memory. */
    private static final int SPREAD = 27;

    /** Where an exchange stands in these lists. Guarded by the list's lock. */
    static final class Place {
        private @Nullable OpenList list;
        private @Nullable Exchange before;
        private @Nullable Exchange after;
        private boolean tunnel;
    }

    /** The exchanges that one thread, or a few, have opened. */
    private static final class OpenList {
        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable Exchange first;

        void add(Exchange exchange) {
            lock.lock();
            try {
                Exchange next = first;
                if (next != null) {
                    next.place().before = exchange;
                }
                exchange.place().after = next;
                exchange.place().list = this;
                first = exchange;
            } finally {
                lock.unlock();
            }
        }

        /** False when it was removed before. */
        boolean remove(Exchange exchange) {
            lock.lock();
            try {
                Place place = exchange.place();
                if (place.list == null) {
                    return false;
                }
                Exchange before = place.before;
                Exchange after = place.after;
                if (before == null) {
                    first = after;
                } else {
                    before.place().after = after;
                }
                if (after != null) {
                    after.place().before = before;
                }
                place.list = null;
                place.before = null;
                place.after = null;
                return true;
            } finally {
                lock.unlock();
            }
        }

        void addTo(List<Exchange> all) {
            lock.lock();
            try {
                for (Exchange one = first; one != null; one = one.place().after) {
                    all.add(one);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private final ExchangeListener listener;
    private final OpenList[] lists = new OpenList[LISTS];
    private final LongAdder count = new LongAdder();
    private final AtomicInteger tunnels = new AtomicInteger();

    /** Exchanges that have failed and whose clients are being told. */
    private final LongAdder failing = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private volatile boolean awaited;
    private volatile int limit;
    private volatile int tunnelLimit;

    /**
     * Creates an empty set.
     *
     * @param limit how many requests may be open; above it they are refused
     * @param tunnelLimit how many tunnels may be open; 0 = no client may change its protocol
     * @param listener told of the end of each exchange
     */
    public OpenExchanges(int limit, int tunnelLimit, ExchangeListener listener) {
        this.limit = limit;
        this.tunnelLimit = tunnelLimit;
        this.listener = listener;
        for (int i = 0; i < LISTS; i++) {
            lists[i] = new OpenList();
        }
    }

    /**
     * Changes the limits; what is open is left.
     *
     * @param most how many requests may be open
     * @param mostTunnels how many tunnels may be open
     */
    public void limit(int most, int mostTunnels) {
        limit = most;
        tunnelLimit = mostTunnels;
    }

    /**
     * Says whether clients may change to another protocol at all.
     *
     * @return whether there may be tunnels
     */
    public boolean takesTunnels() {
        return tunnelLimit > 0;
    }

    /**
     * Adds an exchange.
     *
     * @param exchange a new one
     * @return false when there are more than the limit now; it is added all the same
     */
    public boolean add(Exchange exchange) {
        long thread = Thread.currentThread().threadId();
        lists[(int) (thread * SPREAD) & (LISTS - 1)].add(exchange);
        count.increment();
        return count.sum() <= limit;
    }

    @Override
    public void ended(Exchange exchange, ExchangeRecord record) {
        remove(exchange);
        listener.ended(record);
    }

    @Override
    public void failing() {
        failing.increment();
    }

    @Override
    public void failed() {
        failing.decrement();
        signal();
    }

    @Override
    public void retried(String context, Failure why) {
        listener.retried(context, why);
    }

    /**
     * Returns the end of exchanges of which somebody else is told.
     *
     * @param told in place of the listener of all others
     * @return the end
     */
    public ExchangeEnvironment.End telling(ExchangeListener told) {
        return new ExchangeEnvironment.End() {
            @Override
            public void ended(Exchange exchange, ExchangeRecord record) {
                remove(exchange);
                told.ended(record);
            }

            @Override
            public void failing() {
                OpenExchanges.this.failing();
            }

            @Override
            public void failed() {
                OpenExchanges.this.failed();
            }

            @Override
            public void retried(String context, Failure why) {
                // Whoever is told of the end: it has happened to a peer of this proxy.
                listener.retried(context, why);
            }

            @Override
            public boolean hasTunnelRoom() {
                return OpenExchanges.this.hasTunnelRoom();
            }

            @Override
            public boolean opensTunnel(Exchange exchange) {
                return OpenExchanges.this.opensTunnel(exchange);
            }
        };
    }

    @Override
    public boolean hasTunnelRoom() {
        return tunnels.get() < tunnelLimit;
    }

    /** Counts it as a tunnel, and no longer as a request. */
    @Override
    public boolean opensTunnel(Exchange exchange) {
        if (tunnels.incrementAndGet() > tunnelLimit) {
            tunnels.decrementAndGet();
            return false;
        }
        exchange.place().tunnel = true;
        count.decrement();
        return true;
    }

    private void remove(Exchange exchange) {
        OpenList list = exchange.place().list;
        if (list == null || !list.remove(exchange)) {
            return;
        }
        if (exchange.place().tunnel) {
            tunnels.decrementAndGet();
        } else {
            count.decrement();
        }
        signal();
    }

    private void signal() {
        if (awaited) {
            lock.lock();
            try {
                ended.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Returns those that are open.
     *
     * @return as they are now
     */
    public List<Exchange> all() {
        List<Exchange> all = new ArrayList<>();
        for (OpenList list : lists) {
            list.addTo(all);
        }
        return all;
    }

    /**
     * Fails those that no peer has.
     *
     * @param failure why
     */
    public void failAllWithoutPeer(Failure failure) {
        for (Exchange exchange : all()) {
            if (isWithoutPeer(exchange)) {
                exchange.fail(failure);
            }
        }
    }

    /**
     * Ends them because the proxy goes down. What a peer may have started, and must not be started
     * twice, is not offered to be tried again.
     */
    public void giveUpAll() {
        for (Exchange exchange : all()) {
            boolean once =
                    exchange.state() == ExchangeState.SENT && !exchange.request().isIdempotent();
            exchange.fail(once ? Failure.PEER_GONE : Failure.DRAINING);
        }
    }

    private static boolean isWithoutPeer(Exchange exchange) {
        ExchangeState state = exchange.state();
        return state == ExchangeState.RECEIVING || state == ExchangeState.QUEUED;
    }

    /**
     * Blocks until a peer has each of those that are open, or the time is over.
     *
     * @param most how long at most
     */
    public void awaitAllAtPeers(Duration most) {
        await(() -> all().stream().noneMatch(OpenExchanges::isWithoutPeer), most);
    }

    /**
     * Blocks until none is open, tunnels included, and clients are told of all that have failed, or
     * the time is over.
     *
     * @param most how long at most
     */
    public void awaitNone(Duration most) {
        await(() -> all().isEmpty() && failing.sum() == 0, most);
    }

    private void await(BooleanSupplier done, Duration most) {
        long left = most.toNanos();
        awaited = true;
        lock.lock();
        try {
            while (!done.getAsBoolean() && left > 0) {
                // Ends are signalled, other changes are looked for.
                long slice = Math.min(left, LOOK_NANOS);
                left -= slice - Math.max(0, ended.awaitNanos(slice));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
