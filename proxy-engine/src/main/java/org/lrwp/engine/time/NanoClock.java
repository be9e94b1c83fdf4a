package org.lrwp.engine.time;

/** A monotonic clock. */
@FunctionalInterface
public interface NanoClock {
    /** The clock of this JVM. */
    NanoClock SYSTEM = System::nanoTime;

    /**
     * Returns the present time.
     *
     * @return nanoseconds from an arbitrary origin; only differences mean something
     */
    long nanos();
}
