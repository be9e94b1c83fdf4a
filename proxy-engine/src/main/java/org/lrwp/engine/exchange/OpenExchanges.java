package org.lrwp.engine;

import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeEnvironment;
import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** All exchanges whose client has not got its end yet. Thread-safe. */
final class OpenExchanges implements ExchangeEnvironment.End {
    private static final long LOOK_NANOS = 20_000_000L;

    private final ExchangeListener listener;
    private final Set<Exchange> tunnels = ConcurrentHashMap.newKeySet();
    private final AtomicInteger tunnelCount = new AtomicInteger();
    private final Set<Exchange> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();
    private volatile int limit;
    private volatile int tunnelLimit;

    OpenExchanges(int limit, int tunnelLimit, ExchangeListener listener) {
        this.limit = limit;
        this.tunnelLimit = tunnelLimit;
        this.listener = listener;
    }

    /** Changes the limits; what is open is left. */
    void limit(int most, int mostTunnels) {
        limit = most;
        tunnelLimit = mostTunnels;
    }

    /** Whether clients may change to another protocol at all. */
    boolean takesTunnels() {
        return tunnelLimit > 0;
    }

    /** Adds one; false when there are more than the limit now (it is added all the same). */
    boolean add(Exchange exchange) {
        open.add(exchange);
        return count.incrementAndGet() <= limit;
    }

    @Override
    public void ended(Exchange exchange, ExchangeRecord record) {
        remove(exchange);
        listener.ended(record);
    }

    /** The end of exchanges of which somebody else is told. */
    ExchangeEnvironment.End telling(ExchangeListener told) {
        return new ExchangeEnvironment.End() {
            @Override
            public void ended(Exchange exchange, ExchangeRecord record) {
                remove(exchange);
                told.ended(record);
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
        return tunnelCount.get() < tunnelLimit;
    }

    /** Counts it as a tunnel, and no longer as a request. */
    @Override
    public boolean opensTunnel(Exchange exchange) {
        if (tunnelCount.incrementAndGet() > tunnelLimit) {
            tunnelCount.decrementAndGet();
            return false;
        }
        tunnels.add(exchange);
        count.decrementAndGet();
        return true;
    }

    private void remove(Exchange exchange) {
        if (!open.remove(exchange)) {
            return;
        }
        boolean tunnel = tunnels.remove(exchange);
        if ((tunnel ? tunnelCount : count).decrementAndGet() == 0) {
            lock.lock();
            try {
                none.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    void forEach(Consumer<Exchange> action) {
        open.forEach(action);
    }

    /** Fails those that no peer has. */
    void failAllWithoutPeer(Failure failure) {
        for (Exchange exchange : open) {
            if (isWithoutPeer(exchange)) {
                exchange.fail(failure);
            }
        }
    }

    /**
     * Ends them because the proxy goes down. What a peer may have started, and must not be started
     * twice, is not offered to be tried again.
     */
    void giveUpAll() {
        for (Exchange exchange : open) {
            boolean once =
                    exchange.state() == ExchangeState.SENT && !exchange.request().isIdempotent();
            exchange.fail(once ? Failure.PEER_GONE : Failure.DRAINING);
        }
    }

    private static boolean isWithoutPeer(Exchange exchange) {
        ExchangeState state = exchange.state();
        return state == ExchangeState.RECEIVING || state == ExchangeState.QUEUED;
    }

    /** Blocks until a peer has each of those that are open, or the time is over. */
    void awaitAllAtPeers(Duration most) {
        await(() -> open.stream().noneMatch(OpenExchanges::isWithoutPeer), most);
    }

    /** Blocks until none is open, tunnels included, or the time is over. */
    void awaitNone(Duration most) {
        await(open::isEmpty, most);
    }

    private void await(BooleanSupplier done, Duration most) {
        long left = most.toNanos();
        lock.lock();
        try {
            while (!done.getAsBoolean() && left > 0) {
                // Only the last end of all is signalled: other changes are looked for.
                long slice = Math.min(left, LOOK_NANOS);
                left -= slice - Math.max(0, none.awaitNanos(slice));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
