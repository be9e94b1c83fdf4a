package org.lrwp.osp.routing;

import org.lrwp.osp.token.TokenClass;

import java.util.List;

/**
 * Where a call may go.
 *
 * @param device the name of the device that asked; empty when nobody keeps names
 * @param tokens which tokens its clients take
 * @param routes the ways, best first, at least one
 */
public record Decision(String device, TokenClass tokens, List<Route> routes) {
    /** Copies the list. */
    public Decision {
        routes = List.copyOf(routes);
    }
}
