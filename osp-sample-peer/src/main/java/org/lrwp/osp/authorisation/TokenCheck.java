package org.lrwp.osp.authorisation;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Reply;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.replay.TakenOnce;
import org.lrwp.osp.token.TokenIssuer;
import org.lrwp.osp.token.TokenTerms;
import org.lrwp.osp.token.TokenVerifier;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Checks tokens that are shown with a call: in an authorisation indication, by a terminating
 * gateway that does not verify tokens itself, and in a reauthorisation request, by the gateway that
 * got one before. Any thread may call it.
 */
public final class TokenCheck {
    private final Signatures signatures;
    private final TakenOnce taken;
    private final TokenTimes times;
    private final InstantSource clock;

    /** Checks who signed a token. */
    @FunctionalInterface
    public interface Signatures {
        /**
         * Reads a token after checking who signed it.
         *
         * @param token the token's bytes
         * @param now the time at which certificates have to count
         * @return what the token allows; its time is not looked at
         * @throws RefusedException when nobody trusted signed it, or it cannot be read
         */
        TokenVerifier.Verified verified(byte[] token, Instant now) throws RefusedException;
    }

    /**
     * Creates the check.
     *
     * @param signatures checks who signed
     * @param taken remembers tokens that were shown
     * @param times how far clocks may differ
     * @param clock tells the time
     */
    public TokenCheck(
            Signatures signatures, TakenOnce taken, TokenTimes times, InstantSource clock) {
        this.signatures = signatures;
        this.taken = taken;
        this.times = times;
        this.clock = clock;
    }

    /**
     * Answers an AuthorizationIndication.
     *
     * @param indication the component
     * @return the confirming component, with the time for which the token counts
     * @throws RefusedException when the token is none of ours, out of time, of another call, or was
     *     taken before
     */
    public Element confirm(Element indication) throws RefusedException {
        Instant now = clock.instant();
        TokenVerifier.Verified token = signatures.verified(token(indication), now);
        TokenTerms terms = token.terms();
        if (now.isBefore(terms.validAfter().minus(times.skew()))) {
            throw new RefusedException(Status.TOO_SOON, Reply.timestamp(terms.validAfter()));
        }
        if (now.isAfter(terms.validUntil().plus(times.skew()))) {
            throw new RefusedException(
                    Status.TIME_PROBLEM, "valid until " + Reply.timestamp(terms.validUntil()));
        }
        CallTerms call = CallTerms.of(indication);
        if (!call.callIds().contains(terms.callId())) {
            throw new RefusedException(Status.UNAUTHORISED, "the token is of another call");
        }
        same("called", Optional.of(terms.called()), Optional.of(call.called()));
        if (call.caller().isPresent()) {
            same("calling", terms.caller(), call.caller());
        }
        take(token);
        return Reply.success(
                indication,
                now,
                List.of(
                        Element.leaf("ValidAfter", Reply.timestamp(terms.validAfter())),
                        Element.leaf("ValidUntil", Reply.timestamp(terms.validUntil())),
                        Element.leaf("TransactionId", terms.transaction()),
                        TokenIssuer.allowance(terms.seconds())));
    }

    /**
     * Requires that a ReauthorizationRequest shows a token of its call. That token's own time is
     * over by then in most cases; what counts is the time that its call may have.
     *
     * @param request the component
     * @return what the token allows; that the numbers are the same is left to whoever knows what
     *     the numbers of the request become on their way
     * @throws RefusedException when the token is missing, not signed by us, of another call or
     *     transaction, or when the call that it allowed is over
     */
    public TokenTerms requireAuthorised(Element request) throws RefusedException {
        String transaction = AuthorisationService.transaction(request);
        Instant now = clock.instant();
        TokenVerifier.Verified shown = signatures.verified(token(request), now);
        if (!shown.signed()) {
            // Whoever sends the request could have written it: a call of any length, not counted.
            throw new RefusedException(Status.SIGNATURE_INVALID, "the token is not signed");
        }
        TokenTerms before = shown.terms();
        if (!now.isBefore(before.over())) {
            throw new RefusedException(
                    Status.TIME_PROBLEM, "the call was over at " + Reply.timestamp(before.over()));
        }
        if (!before.transaction().equals(transaction)
                || !CallTerms.of(request).callIds().contains(before.callId())) {
            throw new RefusedException(Status.UNAUTHORISED, "the token is of another call");
        }
        return before;
    }

    /**
     * Each destination of a call has a token of its own, with its own filler; so what was signed
     * tells transaction, call id and destination from all others.
     */
    private void take(TokenVerifier.Verified token) throws RefusedException {
        switch (taken.take(
                TakenOnce.Kind.TOKEN,
                token.content(),
                token.terms().validUntil().plus(times.skew()))) {
            case FIRST -> {
                // It counts, this once.
            }
            case AGAIN ->
                    throw new RefusedException(Status.UNAUTHORISED, "the token was taken before");
            case NOT_KEPT ->
                    throw new RefusedException(
                            Status.SERVICE_UNAVAILABLE, "tokens cannot be remembered");
        }
    }

    private static byte[] token(Element indication) throws RefusedException {
        Optional<String> token = indication.childText("Token");
        if (token.isEmpty()) {
            throw new RefusedException(Status.BAD_REQUEST, "Token is missing");
        }
        try {
            return Base64.getMimeDecoder().decode(token.get());
        } catch (IllegalArgumentException notBase64) {
            throw new RefusedException(Status.BAD_REQUEST, "Token is not base64");
        }
    }

    /** A token without a calling number is for every caller. */
    private static void same(String which, Optional<Party> allowed, Optional<Party> shown)
            throws RefusedException {
        if (allowed.isPresent() && !allowed.map(Party::number).equals(shown.map(Party::number))) {
            throw new RefusedException(
                    Status.UNAUTHORISED, "the token is for another " + which + " number");
        }
    }
}
