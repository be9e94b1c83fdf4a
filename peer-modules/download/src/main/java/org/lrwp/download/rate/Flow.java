package org.lrwp.download.rate;

import org.jspecify.annotations.Nullable;

/**
 * One download in the tree. Made by whoever sends; everything else is of the rate loop's thread.
 */
public final class Flow extends Node {
    private final CreditSink sink;
    private long wanted;
    private boolean inService;
    private boolean closed;
    private @Nullable Group charged;

    /**
     * Creates a flow that is in no tree yet.
     *
     * @param sink what sends
     */
    public Flow(CreditSink sink) {
        this.sink = sink;
    }

    @Override
    boolean isActive() {
        return wanted > 0;
    }

    CreditSink sink() {
        return sink;
    }

    /** A burst; but a new flow does not wait for one, it sends what it begins with. */
    @Override
    long need() {
        long burst = Math.min(wanted, quantum());
        return charged == null ? Math.max(1, Math.min(burst, available())) : burst;
    }

    long wanted() {
        return wanted;
    }

    void want(long bytes) {
        wanted = bytes;
    }

    boolean isInService() {
        return inService;
    }

    void inService(boolean serving) {
        inService = serving;
    }

    /** Returns the group that paid for what was granted last. */
    @Nullable Group charged() {
        return charged;
    }

    void charge(@Nullable Group group) {
        charged = group;
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
        wanted = 0;
    }
}
