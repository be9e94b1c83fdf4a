package org.lrwp.events.fanout;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a fan-out counts. Thread-safe. */
public final class FanOutCounters {
    /** Streams that are open. */
    public final AtomicInteger streams = new AtomicInteger();

    /** Polls that wait. */
    public final AtomicInteger polls = new AtomicInteger();

    /** Events given to clients. */
    public final LongAdder delivered = new LongAdder();

    /** Times that a client was told that events are missing. */
    public final LongAdder gaps = new LongAdder();

    /** Streams cut because their clients took nothing. */
    public final LongAdder cut = new LongAdder();

    /** Polls answered with nothing, because nothing came. */
    public final LongAdder empty = new LongAdder();

    /** Clients that went away. */
    public final LongAdder left = new LongAdder();

    /** Clients whose answer failed in this module. */
    public final LongAdder failed = new LongAdder();

    /** From the last event to the last of its clients, in nanoseconds. */
    public final AtomicLong lastNanos = new AtomicLong();

    /** Creates counters at zero. */
    public FanOutCounters() {}
}
