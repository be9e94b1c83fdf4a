package org.lrwp.download;

import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Holds who is banned for a while, without a thread. Thread-safe. */
final class Tarpit {
    private static final int MOST = 1000;

    private final ScheduledExecutorService clock;
    private final Set<Held> held = ConcurrentHashMap.newKeySet();

    Tarpit(ScheduledExecutorService clock) {
        this.clock = clock;
    }

    private final class Held implements ExchangeListener {
        private final PeerExchange exchange;
        private final Runnable answer;
        private final AtomicBoolean over = new AtomicBoolean();

        Held(PeerExchange exchange, Runnable answer) {
            this.exchange = exchange;
            this.answer = answer;
        }

        void end() {
            if (over.compareAndSet(false, true)) {
                held.remove(this);
                answer.run();
            }
        }

        @Override
        public void onCancelled(String reason) {
            if (over.compareAndSet(false, true)) {
                held.remove(this);
                exchange.abort("the client is gone");
            }
        }
    }

    /** Holds an exchange and answers it then; false when too many are held. */
    boolean hold(PeerExchange exchange, Duration wait, Runnable answer) {
        if (held.size() >= MOST) {
            return false;
        }
        Held one = new Held(exchange, answer);
        held.add(one);
        exchange.listen(one);
        try {
            Future<?> _ = clock.schedule(one::end, wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            one.end();
        }
        return true;
    }

    int size() {
        return held.size();
    }

    /** Lets all go. */
    void release() {
        held.forEach(Held::end);
    }
}
