package org.lrwp.engine.peer;

/** Knows the limits of peers by context. Thread-safe; never blocks. */
@FunctionalInterface
public interface ContextLimits {
    /**
     * Returns the limits for the peers of a context.
     *
     * @param context as users write it
     * @return its own or the defaults
     */
    PeerConfig of(String context);
}
