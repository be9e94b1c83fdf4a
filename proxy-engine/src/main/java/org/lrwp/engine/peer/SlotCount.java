package org.lrwp.engine.peer;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many slots an LRWP 3 connection has, and how many are taken. Claimed by any thread; the
 * capacity is set on the link's loop.
 */
final class SlotCount {
    private final AtomicInteger busy = new AtomicInteger();
    private volatile int capacity;
    private volatile boolean open;

    /** Slots can be claimed, or no more. */
    void open(boolean on) {
        open = on;
    }

    void capacity(int slots) {
        capacity = slots;
    }

    /** Takes a slot, by one compare-and-set; false when none is free. */
    boolean claim() {
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

    int capacity() {
        return capacity;
    }

    int busy() {
        return busy.get();
    }

    int free() {
        return open ? Math.max(0, capacity - busy.get()) : 0;
    }
}
