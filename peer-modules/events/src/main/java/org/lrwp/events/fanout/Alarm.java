package org.lrwp.events.fanout;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.locks.LockSupport;

/** Lets one thread sleep until another wakes it, or some time is over. */
interface Alarm {
    /** Sleeps, unless it was woken before; may return earlier for no reason. One thread only. */
    void sleep(long nanos);

    /** Ends the sleep, or the next one when there is none; any thread. */
    void wake();

    /** Of a thread. */
    static Alarm ofThread() {
        return new Alarm() {
            private volatile @Nullable Thread sleeper;
            private volatile boolean woken;

            @Override
            public void sleep(long nanos) {
                sleeper = Thread.currentThread();
                if (!woken) {
                    LockSupport.parkNanos(this, nanos);
                }
                woken = false;
            }

            @Override
            public void wake() {
                woken = true;
                LockSupport.unpark(sleeper);
            }
        };
    }
}
