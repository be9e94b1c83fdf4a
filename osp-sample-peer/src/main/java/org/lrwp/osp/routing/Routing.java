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
}
