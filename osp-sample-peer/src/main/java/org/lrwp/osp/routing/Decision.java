package org.lrwp.osp.routing;

import org.lrwp.osp.token.TokenClass;

import java.util.List;

/**
 * Where a call may go.
 *
 * @param device the name of the device that asked; empty when nobody keeps names
 * @param tokens which tokens its clients take
 * @param portability what is known of the called number's portability
 * @param routes the ways, best first, at least one
 */
public record Decision(
        String device, TokenClass tokens, Portability portability, List<Route> routes) {
    /** Copies the list. */
    public Decision {
        routes = List.copyOf(routes);
    }

    /** The same with other routes. */
    Decision with(List<Route> others) {
        return new Decision(device, tokens, portability, others);
    }
}
