package org.lrwp.webapp.container;

import org.lrwp.engine.request.RequestHead;

/** A request in the hands of the container, whose head was read before. Any thread. */
public interface GivenRequest {
    /**
     * Returns its head.
     *
     * @return as the strict reader has read it
     */
    RequestHead head();

    /**
     * Says whether it stays on the selector thread that read it.
     *
     * @return whether it is for a peer, and nothing of its way can block
     */
    boolean staysOnSelector();

    /**
     * The container hands it over.
     *
     * @return false when it has done so before: it takes what is left of the body for the request
     */
    boolean begin();

    /**
     * Sets who is told when the client leaves.
     *
     * @param listener called by the loop; must not block
     */
    void onDeparture(Runnable listener);
}
