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
     * Says that nobody waits for the answer any more. LRWP 1 cannot tell its peer: the answer is
     * drained and the slot is free after it. May be called from any thread.
     */
    void cancel();
}
