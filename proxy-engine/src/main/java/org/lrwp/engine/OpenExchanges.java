package org.lrwp.engine;

import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeEnvironment;
import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRecord;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** All exchanges whose client has not got its end yet. Thread-safe. */
final class OpenExchanges implements ExchangeEnvironment.End {
    private final int limit;
    private final ExchangeListener listener;
    private final Set<Exchange> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();

    OpenExchanges(int limit, ExchangeListener listener) {
        this.limit = limit;
        this.listener = listener;
    }

    /** Adds one; false when there are more than the limit now (it is added all the same). */
    boolean add(Exchange exchange) {
        open.add(exchange);
        return count.incrementAndGet() <= limit;
    }

    @Override
    public void ended(Exchange exchange, ExchangeRecord record) {
        if (open.remove(exchange) && count.decrementAndGet() == 0) {
            lock.lock();
            try {
                none.signalAll();
            } finally {
                lock.unlock();
            }
        }
        listener.ended(record);
    }

    void forEach(Consumer<Exchange> action) {
        open.forEach(action);
    }

    /** Blocks until none is open; false when the time is over before. */
    boolean awaitNone(Duration most) {
        long left = most.toNanos();
        lock.lock();
        try {
            while (count.get() > 0 && left > 0) {
                left = none.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return count.get() == 0;
    }
}
