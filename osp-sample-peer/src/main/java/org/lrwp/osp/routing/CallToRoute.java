package org.lrwp.osp.routing;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.Sender;

import java.util.List;
import java.util.Optional;

/**
 * A call that looks for its way.
 *
 * @param origin who asks
 * @param caller who calls; empty when nobody said
 * @param called who is called
 * @param portability what the client knows of the called number's portability
 * @param suggested signalling addresses that the client suggests, in its order; usually none
 * @param underWay the transaction under which the call was let in before, so that it does not count
 *     again; empty for a new call
 */
public record CallToRoute(
        Origin origin,
        Optional<Party> caller,
        Party called,
        Portability portability,
        List<String> suggested,
        Optional<String> underWay) {
    /** Copies the list. */
    public CallToRoute {
        suggested = List.copyOf(suggested);
    }

    /**
     * Reads the call out of a component.
     *
     * @param component an authorisation or reauthorisation request
     * @param sender who sent the message
     * @param caller who calls
     * @param called who is called
     * @return the call
     */
    public static CallToRoute of(
            Element component, Sender sender, Optional<Party> caller, Party called) {
        return new CallToRoute(
                Origin.of(component, sender),
                caller,
                called,
                Portability.of(component),
                component.children("DestinationAlternate").stream()
                        .filter(each -> Origin.isOfType(each, "transport"))
                        .map(Element::text)
                        .toList(),
                Optional.empty());
    }

    /**
     * Returns this call as one that has been let in before.
     *
     * @param transaction the transaction under which it was let in
     * @return a call under way
     */
    public CallToRoute again(String transaction) {
        return new CallToRoute(
                origin, caller, called, portability, suggested, Optional.of(transaction));
    }
}
