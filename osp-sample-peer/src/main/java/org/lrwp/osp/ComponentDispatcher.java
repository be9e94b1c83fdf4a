package org.lrwp.osp;

import org.lrwp.osp.authorisation.AuthorisationService;
import org.lrwp.osp.authorisation.TokenCheck;
import org.lrwp.osp.message.ComponentName;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.KnownElements;
import org.lrwp.osp.message.Message;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Reply;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.token.TokenTerms;
import org.lrwp.osp.usage.NotKeptException;
import org.lrwp.osp.usage.UsageKeeper;
import org.lrwp.osp.usage.UsageService;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives each component of a message to the part that answers it, and turns refusals into answers.
 * Any thread may call it.
 */
public final class ComponentDispatcher {
    private static final Logger LOG = System.getLogger(ComponentDispatcher.class.getName());

    private final AuthorisationService authorisation;
    private final TokenCheck tokens;
    private final UsageService usage;
    private final RequestFreshness freshness;
    private final CallCounters counters;
    private final InstantSource clock;

    /**
     * Creates a dispatcher.
     *
     * @param authorisation answers authorisation and reauthorisation requests
     * @param tokens answers authorisation indications, and checks the token of a reauthorisation
     * @param usage answers usage indications
     * @param freshness lets what a device has signed count once
     * @param counters counts answers
     * @param clock tells the time of the answers
     */
    ComponentDispatcher(
            AuthorisationService authorisation,
            TokenCheck tokens,
            UsageService usage,
            RequestFreshness freshness,
            CallCounters counters,
            InstantSource clock) {
        this.authorisation = authorisation;
        this.tokens = tokens;
        this.usage = usage;
        this.freshness = freshness;
        this.counters = counters;
        this.clock = clock;
    }

    /**
     * The answers of a message.
     *
     * @param components one for each of its components
     * @param granted whether one of them is no refusal
     */
    record Answers(List<Element> components, boolean granted) {}

    /**
     * Answers all components; waits until what they report is where it lasts.
     *
     * @throws NotKeptException when something did not get there; then nothing may be answered
     */
    Answers answers(Message message, Sender sender) throws NotKeptException {
        List<Element> answers = new ArrayList<>();
        boolean granted = false;
        List<UsageKeeper.Kept> kept = new ArrayList<>();
        for (Element component : message.components()) {
            Element answer =
                    answer(ComponentName.canonical(component.name()), component, sender, kept);
            granted |= !Reply.isRefusal(answer);
            answers.add(answer);
        }
        for (UsageKeeper.Kept each : kept) {
            each.await();
        }
        return new Answers(answers, granted);
    }

    private Element answer(
            String name, Element component, Sender sender, List<UsageKeeper.Kept> kept)
            throws NotKeptException {
        try {
            Element answer = granted(name, component, sender, kept);
            counters.answered(name, Status.SUCCESS);
            return answer;
        } catch (RefusedException refusal) {
            counters.answered(name, refusal.status());
            return Reply.refusal(component, clock.instant(), refusal);
        } catch (RuntimeException fault) {
            LOG.log(Level.ERROR, "component-failed component=" + name, fault);
            counters.answered(name, Status.INTERNAL_ERROR);
            return Reply.refusal(
                    component, clock.instant(), new RefusedException(Status.INTERNAL_ERROR));
        }
    }

    private Element granted(
            String name, Element component, Sender sender, List<UsageKeeper.Kept> kept)
            throws RefusedException, NotKeptException {
        KnownElements.check(component);
        return switch (name) {
            case "AuthorizationRequest" -> {
                freshness.check(component, sender);
                yield authorisation.authorise(component, sender);
            }
            case "ReauthorizationRequest" -> {
                freshness.check(component, sender);
                TokenTerms before = tokens.requireAuthorised(component);
                yield authorisation.reauthorise(component, sender, before);
            }
            case "AuthorizationIndication" -> tokens.confirm(component);
            case "UsageIndication" -> usage.confirm(component, sender, kept::add);
            case "CapabilitiesIndication", "PricingIndication" ->
                    Reply.success(component, clock.instant(), List.of());
            default -> throw new RefusedException(Status.NOT_IMPLEMENTED);
        };
    }
}
