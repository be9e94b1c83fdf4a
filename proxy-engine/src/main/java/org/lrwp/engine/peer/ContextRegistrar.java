package org.lrwp.engine.peer;

import org.jspecify.annotations.Nullable;

/** Judges what an LRWP 3 peer wants to serve. Called on the link's loop; never blocks. */
public interface ContextRegistrar {
    /**
     * Returns whose connection it is.
     *
     * @return the name of the peer's identity
     */
    String identity();

    /**
     * The peer has said what it can do.
     *
     * @param connection a connection whose SETTINGS have come
     */
    void opened(PeerConnection connection);

    /**
     * Takes the next turn of the peer's identity to register.
     *
     * @return how long its answer waits, in nanoseconds; 0 = not at all
     */
    long turnNanos();

    /**
     * Adds a connection to a context.
     *
     * @param connection an open connection
     * @param context what it wants to serve
     * @return why it may not, for the peer; null when it serves the context now
     */
    @Nullable String register(PeerConnection connection, ServedContext context);

    /**
     * Takes a connection away from a context.
     *
     * @param connection an open connection
     * @param context what it no longer serves
     */
    void unregister(PeerConnection connection, ServedContext context);
}
