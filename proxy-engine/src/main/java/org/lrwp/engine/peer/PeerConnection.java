package org.lrwp.engine.peer;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.UpgradeNames;

/**
 * One registered connection of a peer, with one slot or more. Thread-safe, never blocks.
 *
 * <p>A kind of its own for each way a peer can be reached: LRWP 1 and 2 have one slot, LRWP 3 as
 * many as its peer says.
 */
public interface PeerConnection {
    /**
     * Claims a free slot, by one compare-and-set.
     *
     * @return the slot, or null when none is free
     */
    @Nullable PeerSlot claim();

    /**
     * Returns how many requests it can have at once.
     *
     * @return at least 1
     */
    int capacity();

    /**
     * Returns how many slots are free now.
     *
     * @return 0 to {@link #capacity()}
     */
    int free();

    /**
     * Says whether the peer wants bodies as they come.
     *
     * @return true for an LRWP 3 peer with {@code stream=1}, and for a local one
     */
    boolean isStreaming();

    /**
     * Says whether the peer takes what a client offers instead of HTTP.
     *
     * @param offer the protocols offered
     * @return true for an LRWP 3 peer that has said so in its settings
     */
    default boolean takesUpgrade(UpgradeNames offer) {
        return false;
    }

    /**
     * Returns the process at the other end, as far as the peer has said which connections are its
     * own.
     *
     * @return equal for the connections of one process; this connection when nothing was said
     */
    default Object instance() {
        return this;
    }

    /**
     * Returns how much it gets beside others.
     *
     * @return always the same object
     */
    PeerWeight weight();

    /**
     * Limits the requests at once, for a peer that says itself how many it takes.
     *
     * @param most at least 1
     */
    default void cap(int most) {}

    /**
     * Returns whose peer it is.
     *
     * @return the name of its identity; empty for another proxy
     */
    String identity();

    /**
     * Returns the connection's name for logs and status.
     *
     * @return where the peer is; {@code local:} and its name when it is in this process
     */
    String peerName();

    /**
     * Says whether the calling thread is the one that writes to this peer, so that a request needs
     * no other.
     *
     * @return whether it is
     */
    boolean isOnLoop();

    /**
     * Returns a picture for status pages.
     *
     * @return the connection as it is now
     */
    PeerStatus status();

    /** Ends the connection in order: no new request, and it closes after its last answer. */
    void drain();

    /**
     * Closes the connection; a request it has fails.
     *
     * @param reason for the log
     */
    void close(String reason);
}
