package org.lrwp.jetty;

import org.eclipse.jetty.io.IdleTimeout;
import org.eclipse.jetty.util.thread.Scheduler;

import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The time that a request may pass without a byte in or out, where the application has set one. */
final class IdleRequest extends IdleTimeout {
    private final Consumer<TimeoutException> expired;
    private volatile boolean over;

    /**
     * Creates one that has no time yet.
     *
     * @param expired hears of each time that has passed, on a thread of the scheduler
     */
    IdleRequest(Scheduler scheduler, Consumer<TimeoutException> expired) {
        super(scheduler);
        this.expired = expired;
    }

    @Override
    protected void onIdleExpired(TimeoutException timeout) {
        expired.accept(timeout);
    }

    @Override
    public boolean isOpen() {
        return !over;
    }

    /** The answer is whole: nothing is waited for any more. */
    void end() {
        over = true;
        onClose();
    }
}
