package org.lrwp.runtime.configuration;

/**
 * What a part of a program makes of the values, always up to date. Thread-safe.
 *
 * @param <C> an immutable record
 */
public interface Live<C> {
    /**
     * Returns what is valid now.
     *
     * @return one volatile read: cheap enough for each request
     */
    C get();

    /**
     * Adds who is told that {@link #get} gives something else now.
     *
     * @param listener called after each change, on the thread that made it; must not block
     */
    void onChange(Runnable listener);
}
