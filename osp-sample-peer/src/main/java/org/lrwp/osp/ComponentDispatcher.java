package org.lrwp.osp;

import org.lrwp.osp.authorisation.AuthorisationService;
import org.lrwp.osp.authorisation.TokenCheck;
import org.lrwp.osp.message.ComponentName;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.KnownElements;
import org.lrwp.osp.message.Message;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Reply;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.statistics.CallCounters;
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
    private final CallCounters counters;
    private final InstantSource clock;

    /**
     * Creates a dispatcher.
     *
     * @param authorisation answers authorisation and reauthorisation requests
     * @param tokens answers authorisation indications
     * @param usage answers usage indications
     * @param counters counts authorisations and refusals
     * @param clock tells the time of the answers
     */
    public ComponentDispatcher(
            AuthorisationService authorisation,
            TokenCheck tokens,
            UsageService usage,
            CallCounters counters,
            InstantSource clock) {
        this.authorisation = authorisation;
        this.tokens = tokens;
        this.usage = usage;
        this.counters = counters;
        this.clock = clock;
    }

    /**
     * Answers all components; waits until what they report is where it lasts.
     *
     * @throws NotKeptException when something did not get there; then nothing may be answered
     */
    List<Element> answers(Message message) throws NotKeptException {
        List<Element> answers = new ArrayList<>();
        List<UsageKeeper.Kept> kept = new ArrayList<>();
        for (Element component : message.components()) {
            answers.add(answer(ComponentName.canonical(component.name()), component, kept));
        }
        for (UsageKeeper.Kept each : kept) {
            each.await();
        }
        return answers;
    }

    private Element answer(String name, Element component, List<UsageKeeper.Kept> kept)
            throws NotKeptException {
        try {
            return granted(name, component, kept);
        } catch (RefusedException refusal) {
            counters.refused(refusal.status());
            return Reply.refusal(component, clock.instant(), refusal);
        } catch (RuntimeException fault) {
            LOG.log(Level.ERROR, "component-failed component=" + name, fault);
            counters.refused(Status.INTERNAL_ERROR);
            return Reply.refusal(
                    component, clock.instant(), new RefusedException(Status.INTERNAL_ERROR));
        }
    }

    private Element granted(String name, Element component, List<UsageKeeper.Kept> kept)
            throws RefusedException, NotKeptException {
        KnownElements.check(component);
        return switch (name) {
            case "AuthorizationRequest" -> {
                Element granted = authorisation.authorise(component);
                counters.authorisation();
                yield granted;
            }
            case "ReauthorizationRequest" -> authorisation.reauthorise(component);
            case "AuthorizationIndication" -> tokens.confirm(component);
            case "UsageIndication" -> usage.confirm(component, kept::add);
            case "CapabilitiesIndication", "PricingIndication" ->
                    Reply.success(component, clock.instant(), List.of());
            default -> throw new RefusedException(Status.NOT_IMPLEMENTED);
        };
    }
}
