package org.lrwp.osp.authorisation;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Reply;
import org.lrwp.osp.routing.Portability;
import org.lrwp.osp.routing.Route;
import org.lrwp.osp.token.TokenIssuer;
import org.lrwp.osp.token.TokenTerms;

import java.util.ArrayList;
import java.util.List;

/** Writes one destination of an answer. */
final class DestinationElement {
    private static final String NOT_OSP = "0.0.0";

    private DestinationElement() {}

    static Element of(Route route, TokenTerms terms, String token, Portability portability) {
        List<Element> parts = new ArrayList<>();
        terms.caller().ifPresent(caller -> parts.add(caller.toElement("SourceInfo")));
        parts.add(terms.called().toElement("DestinationInfo"));
        portability.routingNumber().ifPresent(number -> parts.add(called("routingnumber", number)));
        portability.cic().ifPresent(cic -> parts.add(called("cic", cic)));
        if (portability.asked()) {
            parts.add(called("npdi", "true"));
        }
        parts.add(Element.leaf("DestinationSignalAddress", route.address()));
        if (!route.network().isEmpty()) {
            parts.add(
                    Element.leaf("DestinationAlternate", route.network()).with("type", "network"));
        }
        if (!route.protocol().isEmpty()) {
            parts.add(Element.leaf("SignalingProtocol", route.protocol()));
        }
        if (!route.ospEnabled()) {
            parts.add(Element.leaf("OSPVersion", NOT_OSP));
        }
        parts.add(TokenIssuer.allowance(terms.seconds()));
        parts.add(Element.leaf("ValidAfter", Reply.timestamp(terms.validAfter())));
        parts.add(Element.leaf("ValidUntil", Reply.timestamp(terms.validUntil())));
        parts.add(Element.leaf("CallId", terms.callId()).with("encoding", "base64"));
        parts.add(Element.leaf("Token", token).with("encoding", "base64"));
        return Element.of("Destination", parts);
    }

    /** What is known of a ported number goes on to the destination, which need not ask again. */
    private static Element called(String type, String text) {
        return Element.leaf("DestinationInfo", text).with("type", type);
    }
}
