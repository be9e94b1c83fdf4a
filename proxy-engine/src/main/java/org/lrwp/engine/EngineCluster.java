package org.lrwp.engine;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.cache.ResponseCache;
import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.context.Overflow;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.ServedContext;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * An engine as one of several: what the proxies of a cluster know and want of each other. Nothing
 * of it is used, and a request pays nothing, before {@link #join}. Thread-safe; never blocks.
 */
public final class EngineCluster {
    /** Opens the exchange of a request that another proxy sends. */
    @FunctionalInterface
    interface Opener {
        Exchange open(
                ContextAssistantManager.Guests context,
                ExchangeRequest request,
                Client client,
                ExchangeListener told);
    }

    private final ContextAssistantManager contexts;
    private final PeerEnvironment environment;
    private final Opener opener;
    private final @Nullable ResponseCache cache;
    private final EngineCommands commands;
    private final BooleanSupplier drained;
    private final Supplier<@Nullable Executor> loop;

    EngineCluster(
            ContextAssistantManager contexts,
            PeerEnvironment environment,
            Opener opener,
            @Nullable ResponseCache cache,
            EngineCommands commands,
            BooleanSupplier drained,
            Supplier<@Nullable Executor> loop) {
        this.loop = loop;
        this.commands = commands;
        this.drained = drained;
        this.contexts = contexts;
        this.environment = environment;
        this.opener = opener;
        this.cache = cache;
    }

    /**
     * Returns what connections to other proxies share with those of peers.
     *
     * @return clock, deadlines and limits of the engine
     */
    public PeerEnvironment environment() {
        return environment;
    }

    /**
     * Returns the response cache, which forgets with those of other proxies.
     *
     * @return the cache; null when there is none
     */
    public @Nullable ResponseCache cache() {
        return cache;
    }

    /**
     * Runs a task behind all that the calling thread's loop has in this round, or at once on a
     * thread that is no loop of peers' connections.
     *
     * @param task must not block
     */
    public void afterRound(Runnable task) {
        Executor here = here();
        if (here == null) {
            task.run();
        } else {
            here.execute(task);
        }
    }

    /**
     * Finds the loop of the calling thread.
     *
     * @return runs tasks on it, for any thread; null on a thread that is no loop of peers'
     *     connections
     */
    public @Nullable Executor here() {
        return loop.get();
    }

    /**
     * Sets who is asked when a request finds no free slot here.
     *
     * @param beyond knows other proxies; null to leave the cluster
     */
    public void join(@Nullable Overflow beyond) {
        contexts.overflow(beyond);
    }

    /**
     * Sets what other proxies serve: requests for it are taken here too.
     *
     * @param served all of it
     */
    public void elsewhere(Set<ServedContext> served) {
        contexts.elsewhere(served);
    }

    /** Looks for slots of other proxies for all requests that wait. */
    public void spill() {
        contexts.spill();
    }

    /**
     * Returns pictures of all contexts.
     *
     * @return sorted by context and virtual host
     */
    public List<ContextStatus> contexts() {
        return contexts.contexts();
    }

    /**
     * Says what an operator of another proxy may do here.
     *
     * @return commands for this engine
     */
    public EngineCommands commands() {
        return commands;
    }

    /**
     * Says whether other proxies are to send nothing here.
     *
     * @return see {@link EngineStatus#drained}
     */
    public boolean isDrained() {
        return drained.getAsBoolean();
    }

    /**
     * Says how many requests of other proxies would get a slot.
     *
     * @param context what they are for
     * @return slots that are free, and that nobody waits for; 0 when they are to send nothing
     */
    public int free(ServedContext context) {
        return isDrained() ? 0 : contexts.freeForGuests(context);
    }

    /**
     * Takes a request of another proxy. When no slot is free now its client is told at once.
     *
     * @param context what it is for
     * @param request what is asked
     * @param client the other proxy
     * @param told told of its end, in place of the listener of the engine
     * @return the exchange, whose body is to be brought whole; null when the context is not known
     */
    public @Nullable Exchange open(
            ServedContext context, ExchangeRequest request, Client client, ExchangeListener told) {
        ContextAssistantManager.Guests guests = contexts.guests(context);
        return guests == null ? null : opener.open(guests, request, client, told);
    }
}
