package org.lrwp.osp.authorisation;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Reply;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.token.TokenIssuer;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Answers authorisation and reauthorisation requests. Signs one token for each destination. Any
 * thread may call it; it does not wait for anything.
 */
public final class AuthorisationService {
    /** Clocks of gateways go wrong by minutes. */
    private static final Duration VALID_BEFORE = Duration.ofMinutes(5);

    private static final Duration VALID_FOR = Duration.ofMinutes(10);
    private static final int SECONDS_ALLOWED = 14_400;
    private static final Pattern TRANSACTION_ID = Pattern.compile("[0-9]{1,20}");

    private final Routing routing;
    private final TokenIssuer tokens;
    private final TransactionIds transactions;
    private final InstantSource clock;

    /**
     * Creates the service.
     *
     * @param routing decides whereto calls go
     * @param tokens issues the tokens
     * @param transactions numbers the calls
     * @param clock tells the time from which tokens count
     */
    public AuthorisationService(
            Routing routing, TokenIssuer tokens, TransactionIds transactions, InstantSource clock) {
        this.routing = routing;
        this.tokens = tokens;
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * Answers an AuthorizationRequest.
     *
     * @param request the component
     * @return the answering component, with one destination or more
     * @throws RefusedException when something is missing or the call is not to be made
     */
    public Element authorise(Element request) throws RefusedException {
        CallTerms terms = CallTerms.of(request);
        List<String> addresses = routing.destinations(terms.called());
        int count = Math.min(addresses.size(), terms.mostDestinations());
        return grant(request, terms, transactions.next(), addresses.subList(0, count));
    }

    /**
     * Answers a ReauthorizationRequest: the same call for another span, under the same transaction,
     * to the best destination.
     *
     * @param request the component
     * @return the answering component, with one destination
     * @throws RefusedException when something is missing or the call is not to be made
     */
    public Element reauthorise(Element request) throws RefusedException {
        String transaction =
                request.childText("TransactionId")
                        .filter(id -> TRANSACTION_ID.matcher(id).matches())
                        .orElse("");
        if (transaction.isEmpty()) {
            throw new RefusedException(Status.BAD_REQUEST, "TransactionId is missing");
        }
        CallTerms terms = CallTerms.of(request);
        List<String> addresses = routing.destinations(terms.called());
        return grant(request, terms, transaction, addresses.subList(0, 1));
    }

    private Element grant(
            Element request, CallTerms terms, String transaction, List<String> addresses) {
        Instant now = clock.instant();
        Element transactionId = Element.leaf("TransactionId", transaction);
        List<Element> results = new ArrayList<>();
        results.add(transactionId);
        for (int i = 0; i < addresses.size(); i++) {
            results.add(destination(terms, i, transactionId, addresses.get(i), now));
        }
        return Reply.success(request, now, results);
    }

    private Element destination(
            CallTerms terms, int index, Element transactionId, String address, Instant now) {
        List<Element> parties = new ArrayList<>();
        terms.caller().ifPresent(caller -> parties.add(caller.toElement("SourceInfo")));
        parties.add(terms.called().toElement("DestinationInfo"));
        Element callId = Element.leaf("CallId", terms.callId(index)).with("encoding", "base64");
        Element validAfter = Element.leaf("ValidAfter", Reply.timestamp(now.minus(VALID_BEFORE)));
        Element validUntil = Element.leaf("ValidUntil", Reply.timestamp(now.plus(VALID_FOR)));

        List<Element> token = new ArrayList<>(parties);
        token.addAll(List.of(callId, validAfter, validUntil, transactionId, allowance()));

        List<Element> destination = new ArrayList<>(parties);
        destination.add(Element.leaf("DestinationSignalAddress", address));
        destination.addAll(List.of(allowance(), validAfter, validUntil, callId));
        destination.add(Element.leaf("Token", tokens.issue(token)).with("encoding", "base64"));
        return Element.of("Destination", destination);
    }

    private static Element allowance() {
        return Element.of(
                "UsageDetail",
                Element.leaf("Amount", Integer.toString(SECONDS_ALLOWED)),
                Element.leaf("Increment", "1"),
                Element.of("Service"),
                Element.leaf("Unit", "s"));
    }
}
