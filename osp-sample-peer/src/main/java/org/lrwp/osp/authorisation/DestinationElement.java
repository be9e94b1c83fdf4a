package org.lrwp.osp.authorisation;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Reply;
import org.lrwp.osp.routing.Route;
import org.lrwp.osp.token.TokenIssuer;
import org.lrwp.osp.token.TokenTerms;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Writes one destination of an answer. */
final class DestinationElement {
    /** What a request says about a ported number goes on to the destination. */
    private static final Set<String> PORTABILITY = Set.of("routingnumber", "cic", "npdi");

    private static final String NOT_OSP = "0.0.0";

    private DestinationElement() {}

    static Element of(Route route, TokenTerms terms, String token, Element request) {
        List<Element> parts = new ArrayList<>();
        terms.caller().ifPresent(caller -> parts.add(caller.toElement("SourceInfo")));
        parts.add(terms.called().toElement("DestinationInfo"));
        request.children("DestinationInfo").stream()
                .filter(each -> PORTABILITY.contains(each.attribute("type").orElse("")))
                .filter(each -> !each.text().isEmpty())
                .forEach(
                        each ->
                                parts.add(
                                        Element.leaf("DestinationInfo", each.text())
                                                .with("type", each.attribute("type").orElse(""))));
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
}
