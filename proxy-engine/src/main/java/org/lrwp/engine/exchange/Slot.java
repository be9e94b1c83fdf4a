package org.lrwp.engine.exchange;

/** The place of one request at a peer, as its exchange sees it. */
public interface Slot {
    /**
     * Returns the peer's name for logs and status.
     *
     * @return escaped, one line
     */
    String peerName();

    /**
     * Returns whose peer it is.
     *
     * @return the name of its identity; empty when that is not known here
     */
    default String identity() {
        return "";
    }

    /**
     * Returns the connection that the slot belongs to, to tell one from another.
     *
     * @return the same object for all slots of one connection
     */
    Object connection();

    /**
     * Returns the process at the other end, as far as it has said which connections are its own:
     * docs/protocol.md section 14, {@code instance}.
     *
     * @return equal for the slots of one process; the connection when nothing was said
     */
    default Object instance() {
        return connection();
    }

    /**
     * Says whether the peer takes a request whose body is still arriving, and wants its answers
     * held back by a slow client.
     *
     * @return true for an LRWP 3 peer with {@code stream=1}
     */
    boolean isStreaming();

    /**
     * Says that nobody waits for the answer any more. LRWP 1 cannot tell its peer: the answer is
     * drained and the slot is free after it. LRWP 3 tells it. May be called from any thread.
     */
    void cancel();
}
