package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;

/**
 * The body of a request on its way to another node, as fast as that takes it. What is asked of it
 * runs in the steps of its call; nobody waits.
 */
final class Upload implements Flow.Publisher<ByteBuffer>, Flow.Subscription {
    /** Where the bytes come from; in steps. */
    interface Source {
        /** The next bytes; null when none are there now. */
        @Nullable ByteBuffer next();

        /** Whether all have been given. */
        boolean isWhole();

        /** Whether the request is not this upload's any more. */
        boolean isOver();
    }

    private final Executor steps;
    private final Source source;
    private volatile Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;
    private long demand;
    private boolean ended;

    Upload(Executor steps, Source source) {
        this.steps = steps;
        this.source = source;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> who) {
        subscriber = who;
        who.onSubscribe(this);
    }

    @Override
    public void request(long count) {
        steps.execute(
                () -> {
                    demand += count;
                    pump();
                });
    }

    @Override
    public void cancel() {
        steps.execute(() -> ended = true);
    }

    /** There may be more; in a step. */
    void pump() {
        Flow.Subscriber<? super ByteBuffer> to = subscriber;
        while (to != null && !ended) {
            if (source.isOver()) {
                ended = true;
                to.onError(new IOException("the request is given back"));
            } else if (source.isWhole()) {
                ended = true;
                to.onComplete();
            } else {
                ByteBuffer next = demand > 0 ? source.next() : null;
                if (next == null) {
                    return;
                }
                demand--;
                to.onNext(next);
            }
        }
    }
}
