package org.lrwp.osp;

import org.lrwp.osp.authorisation.AuthorisationService;
import org.lrwp.osp.authorisation.TokenCheck;
import org.lrwp.osp.authorisation.TransactionIds;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.routing.Routing;
import org.lrwp.osp.secure.SignedMessages;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.token.SigningPool;
import org.lrwp.osp.token.TokenIssuer;
import org.lrwp.osp.token.TokenVerifier;
import org.lrwp.osp.usage.UsageKeeper;
import org.lrwp.osp.usage.UsageService;

import java.security.Provider;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** The parts of the server, put together. Whoever made it closes it. */
public final class OspServer implements AutoCloseable {
    private final Ground ground;
    private final CallCounters counters;
    private final Provider provider;
    private final SigningPool pool;
    private final TokenIssuer issuer;
    private final TransactionIds ids;
    private AnswerMemory memory;
    private volatile OspHandler handler;

    /**
     * What a server stands on.
     *
     * @param configuration all that was set at the start
     * @param trust whom it believes
     * @param routing decides whereto calls go
     * @param calls hears what was authorised and used
     * @param keeper keeps usage
     * @param clock tells the time
     * @param random source of ids and fillers; any thread may call it
     */
    public record Ground(
            OspConfiguration configuration,
            Trust trust,
            Routing routing,
            CallListener calls,
            UsageKeeper keeper,
            InstantSource clock,
            RandomGenerator random) {}

    /**
     * Puts a server together.
     *
     * @param ground what it stands on
     * @param counters counts what is answered
     */
    public OspServer(Ground ground, CallCounters counters) {
        this.ground = ground;
        this.counters = counters;
        OspConfiguration.Signing signing = ground.configuration().tokens().signing();
        provider = signing.provider().provider();
        pool = new SigningPool(signing.threads(), signing.waiting());
        issuer = new TokenIssuer(ground.trust().keys(), provider, pool, ground.random());
        ids = new TransactionIds(ground.random());
        OspConfiguration.Messages messages = ground.configuration().messages();
        memory = new AnswerMemory(messages.remembered(), messages.age(), ground.clock());
        handler = handler(ground.configuration());
    }

    private OspHandler handler(OspConfiguration configuration) {
        OspConfiguration.Tokens tokens = configuration.tokens();
        AuthorisationService authorisation =
                new AuthorisationService(
                        ground.routing(),
                        issuer,
                        ids,
                        tokens.times(),
                        ground.clock(),
                        ground.calls()::granted);
        OspConfiguration.Messages messages = configuration.messages();
        Trust trust = ground.trust();
        TokenVerifier verifier =
                new TokenVerifier(trust.keys(), trust.revoked(), tokens.unsignedCounts());
        ComponentDispatcher dispatcher =
                new ComponentDispatcher(
                        authorisation,
                        new TokenCheck(
                                counted(verifier), trust.taken(), tokens.times(), ground.clock()),
                        new UsageService(
                                ground.keeper(), ground.calls()::used, counters, ground.clock()),
                        new RequestFreshness(trust.taken(), messages.age(), ground.clock()),
                        counters,
                        ground.clock());
        return new OspHandler(
                new OspHandler.Reading(
                        new MessageReader(messages.counts()),
                        messages.size(),
                        configuration.signedForm(),
                        messages.plainFrom()),
                dispatcher,
                memory(messages),
                new SignedMessages(
                        trust.keys(), trust.devices(), provider, ground.clock(), ground.random()),
                counters,
                ground.random());
    }

    private TokenCheck.Signatures counted(TokenVerifier verifier) {
        return (token, now) -> {
            try {
                TokenVerifier.Verified verified = verifier.verified(token, now);
                counters.checked("token", Status.SUCCESS);
                return verified;
            } catch (RefusedException refusal) {
                counters.checked("token", refusal.status());
                throw refusal;
            }
        };
    }

    /** The answers so far are forgotten only when there may be fewer, or for another time. */
    private AnswerMemory memory(OspConfiguration.Messages messages) {
        if (!memory.isOf(messages.remembered(), messages.age())) {
            memory = new AnswerMemory(messages.remembered(), messages.age(), ground.clock());
        }
        return memory;
    }

    /**
     * Answers by other values from now on, as far as they are not those of the start alone. For one
     * thread at a time.
     *
     * @param configuration all that is set now
     */
    public void answerBy(OspConfiguration configuration) {
        handler = handler(configuration);
    }

    /**
     * Returns what answers requests now.
     *
     * @return the handler
     */
    public OspHandler handler() {
        return handler;
    }

    /** Ends the threads. */
    @Override
    public void close() {
        pool.close();
    }
}
