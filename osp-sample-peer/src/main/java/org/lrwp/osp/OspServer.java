package org.lrwp.osp;

import org.lrwp.osp.authorisation.AuthorisationService;
import org.lrwp.osp.authorisation.TokenCheck;
import org.lrwp.osp.authorisation.TransactionIds;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.routing.Routing;
import org.lrwp.osp.secure.SignedMessages;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.token.Keys;
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
    private final SigningPool pool;
    private final OspHandler handler;

    /**
     * What a server stands on.
     *
     * @param configuration all that was set
     * @param keys signs tokens
     * @param routing decides whereto calls go
     * @param calls hears what was authorised and used
     * @param keeper keeps usage
     * @param clock tells the time
     * @param random source of ids and fillers; any thread may call it
     */
    public record Ground(
            OspConfiguration configuration,
            Keys keys,
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
        OspConfiguration configuration = ground.configuration();
        OspConfiguration.Tokens tokens = configuration.tokens();
        Provider provider = tokens.provider().provider();
        pool = new SigningPool(tokens.threads(), tokens.waiting());
        AuthorisationService authorisation =
                new AuthorisationService(
                        ground.routing(),
                        new TokenIssuer(ground.keys(), provider, pool, ground.random()),
                        new TransactionIds(ground.random()),
                        tokens.times(),
                        ground.clock(),
                        ground.calls()::granted);
        TokenVerifier verifier = new TokenVerifier(ground.keys(), tokens.unsignedCounts());
        ComponentDispatcher dispatcher =
                new ComponentDispatcher(
                        authorisation,
                        new TokenCheck(verifier, tokens.times(), ground.clock()),
                        new UsageService(
                                ground.keeper(), ground.calls()::used, counters, ground.clock()),
                        counters,
                        ground.clock());
        handler =
                new OspHandler(
                        new MessageReader(configuration.messages().counts()),
                        configuration.messages().size(),
                        dispatcher,
                        configuration.signedForm(),
                        new SignedMessages(
                                ground.keys(), verifier, provider, ground.clock(), ground.random()),
                        ground.random());
    }

    /**
     * Returns what answers requests.
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
