package org.lrwp.engine.peer;

/** Where a slot that is free asks for work. Thread-safe, never blocks. */
public interface WorkSource {
    /**
     * The slots of a connection are about to be used: its peer has said who it is.
     *
     * @param connection one that is registered
     */
    default void opens(PeerConnection connection) {}

    /**
     * A connection has a free slot: it gets the longest waiting request of all the contexts it
     * serves, if there is one.
     *
     * @param connection one that is registered
     */
    void slotFree(PeerConnection connection);

    /**
     * A connection is told, or tells, to take no more requests; {@link #leaving} follows.
     *
     * @param connection one that is registered
     * @param event who wants it so: {@code peer-drains} or {@code proxy-drains}
     */
    default void drains(PeerConnection connection, String event) {}

    /**
     * A connection takes no more requests; those it has go on.
     *
     * @param connection one that was registered
     */
    void leaving(PeerConnection connection);

    /**
     * A connection is closed.
     *
     * @param connection one that was registered
     */
    void gone(PeerConnection connection);
}
