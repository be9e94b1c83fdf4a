package org.lrwp.osp.routing;

import org.lrwp.osp.message.RefusedException;

/** Decides whereto calls go. Any thread may call it. */
@FunctionalInterface
public interface Routing {
    /**
     * Finds the destinations of a call.
     *
     * @param call who wants whom
     * @return the destinations, best first, at least one
     * @throws RefusedException when the call may not be made or nobody serves the called number
     */
    Decision route(CallToRoute call) throws RefusedException;

    /**
     * Counts a new call, before its answer is made: others are decided on at the same time.
     *
     * @param transaction the transaction's id
     * @param decision where the call may go
     * @return the same, without the first destinations if they are full by now
     * @throws RefusedException when the device, or each destination, has all its calls by now
     */
    default Decision begin(String transaction, Decision decision) throws RefusedException {
        return decision;
    }

    /**
     * Counts a call no more that has begun and was refused after all.
     *
     * @param transaction the transaction's id
     */
    default void giveBack(String transaction) {}
}
