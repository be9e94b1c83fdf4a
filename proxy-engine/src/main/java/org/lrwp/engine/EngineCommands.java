package org.lrwp.engine;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditEvent.Action;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.cache.ResponseCache;
import org.lrwp.engine.context.ContextAssistantManager;
import org.lrwp.engine.context.Pause;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.OpenExchanges;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.ServedContext;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * What an operator may do to an engine while it runs. Each is written to the audit trail when it
 * was done. Any thread; never blocks.
 */
public final class EngineCommands {
    private final ContextAssistantManager contexts;
    private final OpenExchanges exchanges;
    private final Supplier<@Nullable ResponseCache> cache;
    private final AuditTrail audit;
    private final AtomicBoolean drained;

    EngineCommands(
            ContextAssistantManager contexts,
            OpenExchanges exchanges,
            Supplier<@Nullable ResponseCache> cache,
            AuditTrail audit,
            AtomicBoolean drained) {
        this.drained = drained;
        this.contexts = contexts;
        this.exchanges = exchanges;
        this.cache = cache;
        this.audit = audit;
    }

    /**
     * Says that no new requests are to be sent here. Those that come are answered.
     *
     * @param node what the proxy is called
     * @param actor who wants it
     */
    public void drainNode(String node, AuditActor actor) {
        audit.record(AuditEvent.done(Action.DRAIN, actor, node, ""));
        drained.set(true);
    }

    /**
     * Says that they are again.
     *
     * @param node what the proxy is called
     * @param actor who wants it
     */
    public void resumeNode(String node, AuditActor actor) {
        audit.record(AuditEvent.done(Action.RESUME, actor, node, ""));
        drained.set(false);
    }

    /**
     * Gives a peer no new requests, but those of clients that come back to its process. Its
     * connections stay, and those that come later get none either.
     *
     * @param name of its identity, its process or its connection
     * @param actor who wants it
     * @return how many connections it has now; -1 when too many peers are drained
     */
    public int drainPeers(String name, AuditActor actor) {
        return told(Action.DRAIN, actor, name, contexts.drainPeers(name));
    }

    /**
     * Gives it requests again.
     *
     * @param name that was drained
     * @param actor who wants it
     * @return how many connections it has now; -1 when it was not drained
     */
    public int resumePeers(String name, AuditActor actor) {
        return told(Action.RESUME, actor, name, contexts.resumePeers(name));
    }

    private int told(Action action, AuditActor actor, String name, int connections) {
        if (connections >= 0) {
            audit.record(AuditEvent.done(action, actor, name, "connections=" + connections));
        }
        return connections;
    }

    /**
     * Has a connection of a peer take no more requests; it closes after its last answer.
     *
     * @param peer its name
     * @param actor who wants it
     * @return false when there is none of that name
     */
    public boolean drain(String peer, AuditActor actor) {
        PeerConnection connection = contexts.connection(peer);
        if (connection == null) {
            return false;
        }
        audit.record(AuditEvent.done(Action.DRAIN, actor, peer, ""));
        connection.drain();
        return true;
    }

    /**
     * Closes a connection of a peer at once; the requests it has fail, or go elsewhere when that is
     * safe.
     *
     * @param peer its name
     * @param actor who wants it
     * @return false when there is none of that name
     */
    public boolean disconnect(String peer, AuditActor actor) {
        PeerConnection connection = contexts.connection(peer);
        if (connection == null) {
            return false;
        }
        audit.record(AuditEvent.done(Action.DISCONNECT, actor, peer, ""));
        connection.close("operator");
        return true;
    }

    /**
     * Sets how much a connection of a peer gets beside others, for as long as it lives.
     *
     * @param peer its name
     * @param weight 0 to 1000; 100 is the usual one
     * @param actor who wants it
     * @return false when there is none of that name
     */
    public boolean weigh(String peer, int weight, AuditActor actor) {
        PeerConnection connection = contexts.connection(peer);
        if (connection == null) {
            return false;
        }
        audit.record(AuditEvent.done(Action.WEIGH, actor, peer, "weight=" + weight));
        connection.weight().order(weight);
        contexts.weighed(connection);
        return true;
    }

    /**
     * Ends requests: their clients get {@link Failure#CANCELLED}, or are cut amid their answer.
     *
     * @param id the request id; a client may use one for several requests
     * @param actor who wants it
     * @return how many there were
     */
    public int cancel(String id, AuditActor actor) {
        int found = 0;
        for (Exchange exchange : exchanges.all()) {
            if (exchange.request().id().equals(id)) {
                found++;
                exchange.fail(Failure.CANCELLED);
            }
        }
        if (found > 0) {
            audit.record(AuditEvent.done(Action.CANCEL, actor, id, "requests=" + found));
        }
        return found;
    }

    /**
     * Has new requests of a context refused; those that it has already go on.
     *
     * @param context which one
     * @param pause what clients are told
     * @param actor who wants it
     * @return false when it is not known
     */
    public boolean pause(ServedContext context, Pause pause, AuditActor actor) {
        boolean known = contexts.pause(context, pause);
        if (known) {
            audit.record(AuditEvent.done(Action.PAUSE, actor, text(context), pause.text()));
        }
        return known;
    }

    /**
     * Has requests of a context taken again.
     *
     * @param context which one
     * @param actor who wants it
     * @return false when it is not known
     */
    public boolean resume(ServedContext context, AuditActor actor) {
        boolean known = contexts.pause(context, null);
        if (known) {
            audit.record(AuditEvent.done(Action.RESUME, actor, text(context), ""));
        }
        return known;
    }

    /**
     * Begins to remove answers from the response cache.
     *
     * @param prefix {@code host:port/path}, as the cache names URLs; empty for all
     * @param actor who wants it
     * @return false when there is no cache
     */
    public boolean purge(String prefix, AuditActor actor) {
        ResponseCache open = cache.get();
        if (open != null) {
            open.purge(prefix, actor);
        }
        return open != null;
    }

    private static String text(ServedContext context) {
        return context.virtualHost() + context.context();
    }
}
