package org.lrwp.osp.authorisation;

import org.lrwp.osp.routing.CallToRoute;
import org.lrwp.osp.routing.Route;

import java.time.Instant;
import java.util.List;

/**
 * What was authorised.
 *
 * @param transaction the transaction's id, decimal digits
 * @param at when
 * @param call what was asked for
 * @param device the name of the device that asked; may be empty
 * @param routes whereto the call may go, best first, at least one
 * @param callIds ids of the call in base64: one for each route, or one for all
 */
public record Grant(
        String transaction,
        Instant at,
        CallToRoute call,
        String device,
        List<Route> routes,
        List<String> callIds) {
    /** Copies the lists. */
    public Grant {
        routes = List.copyOf(routes);
        callIds = List.copyOf(callIds);
    }

    /**
     * Returns the id of the call on one of its routes.
     *
     * @param route index of the route
     * @return the id in base64
     */
    public String callId(int route) {
        return callIds.size() == 1 ? callIds.getFirst() : callIds.get(route);
    }
}
