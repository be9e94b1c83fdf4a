package org.lrwp.engine.time;

/** Runs tasks when their time has come. Thread-safe. */
public interface Deadlines {
    /**
     * Arranges a call.
     *
     * @param delayNanos how long from now, in nanoseconds; 0 or less means as soon as possible
     * @param task what to call, once, on the deadline thread; it must not block
     * @return a handle to call it off
     */
    Deadline after(long delayNanos, Runnable task);

    /** One call that was arranged. */
    @FunctionalInterface
    interface Deadline {
        /** Calls the task off; without effect when it has been called. */
        void cancel();
    }
}
