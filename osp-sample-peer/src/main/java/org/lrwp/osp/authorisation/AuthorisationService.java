package org.lrwp.osp.authorisation;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Reply;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.routing.CallToRoute;
import org.lrwp.osp.routing.Decision;
import org.lrwp.osp.routing.Route;
import org.lrwp.osp.routing.Routing;
import org.lrwp.osp.token.TokenIssuer;
import org.lrwp.osp.token.TokenTerms;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Answers authorisation and reauthorisation requests. Has one token made for each destination. Any
 * thread may call it; it waits for the signatures.
 */
public final class AuthorisationService {
    private static final Pattern TRANSACTION_ID = Pattern.compile("[0-9]{1,20}");

    private final Routing routing;
    private final TokenIssuer tokens;
    private final TransactionIds transactions;
    private final TokenTimes times;
    private final InstantSource clock;
    private final GrantListener granted;

    /**
     * Creates the service.
     *
     * @param routing decides whereto calls go
     * @param tokens issues the tokens
     * @param transactions numbers the calls
     * @param times how long tokens count
     * @param clock tells the time from which tokens count
     * @param granted hears what was granted, before the answer goes out
     */
    public AuthorisationService(
            Routing routing,
            TokenIssuer tokens,
            TransactionIds transactions,
            TokenTimes times,
            InstantSource clock,
            GrantListener granted) {
        this.routing = routing;
        this.tokens = tokens;
        this.transactions = transactions;
        this.times = times;
        this.clock = clock;
        this.granted = granted;
    }

    /**
     * Answers an AuthorizationRequest.
     *
     * @param request the component
     * @param sender who sent the message
     * @return the answering component, with one destination or more
     * @throws RefusedException when something is missing or the call is not to be made
     */
    public Element authorise(Element request, Sender sender) throws RefusedException {
        CallTerms terms = CallTerms.of(request);
        CallToRoute call = CallToRoute.of(request, sender, terms.caller(), terms.called());
        Decision decided = routing.route(call);
        String transaction = transactions.next();
        Decision decision = routing.begin(transaction, decided);
        boolean answered = false;
        try {
            Element answer = authorise(request, transaction, call, terms, decision);
            answered = true;
            return answer;
        } finally {
            if (!answered) {
                routing.giveBack(transaction);
            }
        }
    }

    private Element authorise(
            Element request,
            String transaction,
            CallToRoute call,
            CallTerms terms,
            Decision decision)
            throws RefusedException {
        int count = Math.min(decision.routes().size(), terms.mostDestinations());
        Grant grant =
                new Grant(
                        transaction,
                        clock.instant(),
                        call,
                        decision.device(),
                        decision.routes().subList(0, count),
                        terms.callIds());
        Span span = new Span(grant.at().plus(times.valid()), times.call());
        Element answer = answer(request, grant, decision, span);
        granted.granted(grant);
        return answer;
    }

    /**
     * Answers a ReauthorizationRequest: the same call with the same numbers, under the same
     * transaction, to the best destination, for the time that it has left. That it was authorised
     * before is {@link TokenCheck}'s to say.
     *
     * @param request the component
     * @param sender who sent the message
     * @param before what the token allows that the call has
     * @return the answering component, with one destination
     * @throws RefusedException when something is missing, the token is for another number, or the
     *     call is not to be made
     */
    public Element reauthorise(Element request, Sender sender, TokenTerms before)
            throws RefusedException {
        String transaction = transaction(request);
        CallTerms terms = CallTerms.of(request);
        CallToRoute call = CallToRoute.of(request, sender, terms.caller(), terms.called());
        Decision decision = routing.route(call.again(transaction));
        Grant grant =
                new Grant(
                        transaction,
                        clock.instant(),
                        call,
                        decision.device(),
                        List.of(sameNumbers(decision.routes(), before)),
                        List.of(before.callId()));
        return answer(request, grant, decision, rest(grant.at(), before));
    }

    /** A token holds what the numbers have become on their way, so that is what is compared. */
    private static Route sameNumbers(List<Route> routes, TokenTerms before)
            throws RefusedException {
        for (Route each : routes) {
            if (each.called().number().equals(before.called().number())
                    && (before.caller().isEmpty()
                            || before.caller()
                                    .map(Party::number)
                                    .equals(each.caller().map(Party::number)))) {
                return each;
            }
        }
        throw new RefusedException(Status.UNAUTHORISED, "the token is for another number");
    }

    /**
     * For how long a token counts, and the call that it allows.
     *
     * @param until the token counts up to here
     * @param seconds how long the call may last, 1 or more
     */
    private record Span(Instant until, int seconds) {}

    /** No token of a call allows more than the one before, or the call would have no end. */
    private Span rest(Instant now, TokenTerms before) {
        Instant usual = now.plus(times.valid()).truncatedTo(ChronoUnit.SECONDS);
        Instant last = before.over().minusSeconds(1);
        Instant until = usual.isBefore(last) ? usual : last;
        long left = Duration.between(until, before.over()).toSeconds();
        return new Span(until, (int) Math.min(left, times.call()));
    }

    /** The transaction that a component names. */
    static String transaction(Element component) throws RefusedException {
        Optional<String> transaction =
                component
                        .childText("TransactionId")
                        .filter(id -> TRANSACTION_ID.matcher(id).matches());
        if (transaction.isEmpty()) {
            throw new RefusedException(Status.BAD_REQUEST, "TransactionId is missing");
        }
        return transaction.get();
    }

    private Element answer(Element request, Grant grant, Decision decision, Span span)
            throws RefusedException {
        Instant now = grant.at();
        List<TokenTerms> terms = new ArrayList<>();
        for (int i = 0; i < grant.routes().size(); i++) {
            Route route = grant.routes().get(i);
            terms.add(
                    new TokenTerms(
                            route.caller(),
                            route.called(),
                            grant.callId(i),
                            now.minus(times.before()),
                            span.until(),
                            grant.transaction(),
                            span.seconds()));
        }
        List<String> issued = tokens.issue(terms, decision.tokens());
        List<Element> results = new ArrayList<>();
        results.add(Element.leaf("TransactionId", grant.transaction()));
        for (int i = 0; i < issued.size(); i++) {
            results.add(
                    DestinationElement.of(
                            grant.routes().get(i),
                            terms.get(i),
                            issued.get(i),
                            decision.portability()));
        }
        return Reply.success(request, now, results);
    }
}
