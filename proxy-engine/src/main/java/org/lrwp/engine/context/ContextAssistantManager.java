package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeConfig;
import org.lrwp.engine.peer.DrainedPeers;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.WorkSource;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.NanoClock;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * All contexts: finds the one a request belongs to, and the work for a slot that is free.
 *
 * <p>Design: requests read {@link Routes} without a lock; registrations change them one at a time,
 * and no step of a registration depends on how many contexts there are. Thread-safe; never blocks.
 */
public final class ContextAssistantManager implements WorkSource {
    /** Contexts that a connection leaves before others have their turn. */
    private static final int MOST_LEFT_AT_ONCE = 64;

    private final NanoClock clock;
    private final Deadlines deadlines;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<PeerConnection, Set<ContextAssistant>> served = new ConcurrentHashMap<>();

    private final Map<PeerConnection, Long> since = new ConcurrentHashMap<>();
    private final DrainedPeers drained = new DrainedPeers();

    /** Those that have requests in their queue; they keep it themselves. */
    private final Set<ContextAssistant> crowded = ConcurrentHashMap.newKeySet();

    private final Routes routes = new Routes();
    private Set<ServedContext> elsewhere = Set.of();
    private @Nullable Overflow overflow;
    private volatile ContextConfigs configs;
    private volatile Claims claims = Claims.NONE;

    /**
     * Creates a manager that knows the contexts of the configuration.
     *
     * @param configs limits of contexts
     * @param clock the engine's clock
     * @param deadlines the engine's deadlines
     */
    public ContextAssistantManager(ContextConfigs configs, NanoClock clock, Deadlines deadlines) {
        this.configs = configs;
        this.clock = clock;
        this.deadlines = deadlines;
        addNamed();
    }

    private void addNamed() {
        configs.named()
                .forEach(
                        (name, config) -> {
                            if (config.named()) {
                                assistant(new Routes.Key("", name));
                            }
                        });
    }

    /**
     * Changes the limits. They hold for requests that come from now on; a context that
     * configuration named before stays known.
     *
     * @param next limits of contexts
     */
    public void limit(ContextConfigs next) {
        lock.lock();
        try {
            configs = next;
            addNamed();
            routes.all()
                    .forEach(
                            one ->
                                    one.limit(
                                            limits(
                                                    new Routes.Key(
                                                            one.virtualHost(),
                                                            one.contextName()))));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Finds the context of a request.
     *
     * @param host the request's host in lower case, without port; empty when it has none
     * @param path the decoded path, without dot segments and double slashes
     * @return the context and how it cuts the path; null when no context is registered for it, or
     *     it belongs to somebody who is not there
     */
    public @Nullable ContextMatch match(String host, String path) {
        ContextMatch found = routes.match(host, path);
        return found == null || claims.forbid(found, host, path) ? null : found;
    }

    /**
     * Sets what belongs to somebody, whoever is there.
     *
     * @param given by the configuration
     */
    public void claims(Claims given) {
        claims = given;
    }

    /**
     * Returns the limits of a context.
     *
     * @param context as users write it
     * @return the context's configuration
     */
    public ContextConfig config(String context) {
        return configs.of(context);
    }

    /**
     * Takes a connection into the books. It serves nothing yet.
     *
     * @param connection a connection whose peer has been let in
     */
    public void admit(PeerConnection connection) {
        since.put(connection, clock.nanos());
        served.put(connection, ConcurrentHashMap.newKeySet());
        opens(connection);
    }

    /** Whoever drains a name looks at the connections afterwards, so one of the two sees it. */
    @Override
    public void opens(PeerConnection connection) {
        if (drained.holds(connection)) {
            connection.weight().drain(true);
            opened(connection);
        }
    }

    /**
     * Looks again at what a connection can do: its peer has said it.
     *
     * @param connection one that has been admitted
     */
    public void opened(PeerConnection connection) {
        served.getOrDefault(connection, Set.of()).forEach(ContextAssistant::lookAgain);
    }

    /**
     * Adds a connection to one more context. Its slots are not used before they are free; without
     * effect when it serves the context already, or has left.
     *
     * @param connection one that has been admitted
     * @param served what it serves
     * @param owner the name of the identity whose context it is now
     */
    public void register(PeerConnection connection, ServedContext served, String owner) {
        Routes.Key key = key(served);
        lock.lock();
        try {
            Set<ContextAssistant> known = this.served.get(connection);
            ContextAssistant assistant = assistant(key);
            if (known == null || known.contains(assistant)) {
                return;
            }
            assistant.owner(owner);
            if (!assistant.add(connection)) {
                routes.remove(key);
                assistant = assistant(key);
                assistant.owner(owner);
                assistant.add(connection);
            }
            known.add(assistant);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a connection away from one context; the requests it has go on. Without effect when it
     * does not serve the context.
     *
     * @param connection one that has been admitted
     * @param served what it serves no longer
     */
    public void unregister(PeerConnection connection, ServedContext served) {
        ContextAssistant assistant;
        lock.lock();
        try {
            Set<ContextAssistant> known = this.served.get(connection);
            assistant = routes.get(key(served));
            if (known == null || assistant == null || !known.remove(assistant)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        remove(connection, assistant);
    }

    private static Routes.Key key(ServedContext served) {
        return new Routes.Key(served.virtualHost().toLowerCase(Locale.ROOT), served.context());
    }

    private ContextAssistant assistant(Routes.Key key) {
        ContextAssistant known = routes.get(key);
        if (known != null) {
            return known;
        }
        var assistant =
                new ContextAssistant(
                        key.context(), key.virtualHost(), limits(key), clock, deadlines, this);
        assistant.crowds(crowded);
        assistant.overflow(overflow);
        routes.put(key, assistant);
        return assistant;
    }

    /** Configuration names contexts of every host; one of a virtual host goes when its peers go. */
    private ContextConfig limits(Routes.Key key) {
        ContextConfig limits = configs.of(key.context());
        return key.virtualHost().isEmpty() ? limits : limits.unnamed();
    }

    @Override
    public void leaving(PeerConnection connection) {
        Set<ContextAssistant> contexts;
        lock.lock();
        try {
            contexts = served.replace(connection, ConcurrentHashMap.newKeySet());
        } finally {
            lock.unlock();
        }
        if (contexts != null) {
            leave(connection, contexts.iterator());
        }
    }

    /** The loop has only so many to do; of more the thread of deadlines has the rest. */
    private void leave(PeerConnection connection, Iterator<ContextAssistant> contexts) {
        for (int i = 0; i < MOST_LEFT_AT_ONCE && contexts.hasNext(); i++) {
            remove(connection, contexts.next());
        }
        if (contexts.hasNext()) {
            deadlines.after(0, () -> leave(connection, contexts));
        }
    }

    @Override
    public void gone(PeerConnection connection) {
        leaving(connection);
        served.remove(connection);
        since.remove(connection);
    }

    private void remove(PeerConnection connection, ContextAssistant assistant) {
        assistant.remove(connection, () -> forget(assistant));
    }

    private void forget(ContextAssistant assistant) {
        var key = new Routes.Key(assistant.virtualHost(), assistant.contextName());
        lock.lock();
        try {
            if (routes.get(key) == assistant) {
                routes.remove(key);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void slotFree(PeerConnection connection) {
        // When its last slot is taken nobody looks who waits: whoever frees one comes here too.
        while (connection.free() > 0) {
            ContextAssistant next = longestWaiting(connection);
            PeerSlot slot = next == null ? null : connection.claim();
            if (next == null || slot == null) {
                return;
            }
            // Whether it served or not: a request may have come while the slot was claimed.
            next.serve(slot);
        }
    }

    private @Nullable ContextAssistant longestWaiting(PeerConnection connection) {
        if (crowded.isEmpty()) {
            return null;
        }
        Set<ContextAssistant> own = served.getOrDefault(connection, Set.of());
        boolean few = crowded.size() < own.size();
        ContextAssistant longest = null;
        long since = 0;
        for (ContextAssistant one : few ? crowded : own) {
            Exchange next = few && !own.contains(one) ? null : one.next(connection);
            if (next != null && (longest == null || next.tries().sinceNanos() - since < 0)) {
                longest = one;
                since = next.tries().sinceNanos();
            }
        }
        return longest;
    }

    // ---- Other proxies.

    /**
     * Sets who is asked when a request finds no free slot here.
     *
     * @param beyond knows other proxies; null for nobody
     */
    public void overflow(@Nullable Overflow beyond) {
        lock.lock();
        try {
            overflow = beyond;
            routes.all().forEach(one -> one.overflow(beyond));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets what other proxies serve: requests for it are taken here too.
     *
     * @param contexts all of them
     */
    public void elsewhere(Set<ServedContext> contexts) {
        lock.lock();
        try {
            for (ServedContext one : contexts) {
                Routes.Key key = key(one);
                if (!assistant(key).elsewhere(true)) {
                    routes.remove(key);
                    assistant(key).elsewhere(true);
                }
            }
            for (ServedContext one : elsewhere) {
                ContextAssistant known = contexts.contains(one) ? null : routes.get(key(one));
                if (known != null && !known.elsewhere(false)) {
                    forget(known);
                }
            }
            elsewhere = Set.copyOf(contexts);
        } finally {
            lock.unlock();
        }
    }

    /** Looks for slots of other proxies for all requests that wait. */
    public void spill() {
        crowded.forEach(ContextAssistant::spill);
    }

    /**
     * Finds a context as the requests of other proxies see it.
     *
     * @param context what it serves
     * @return it; null when it is not known here
     */
    public @Nullable Guests guests(ServedContext context) {
        ContextAssistant known = routes.get(key(context));
        return known == null ? null : new Guests(known.guests(), known.config().exchange());
    }

    /**
     * Says how many requests of other proxies would get a slot.
     *
     * @param context what they are for
     * @return slots that are free, and that nobody waits for
     */
    public int freeForGuests(ServedContext context) {
        ContextAssistant known = routes.get(key(context));
        return known == null ? 0 : known.freeForGuests();
    }

    /**
     * A context as the requests of other proxies see it.
     *
     * @param dispatcher gives them slots that are free
     * @param limits of the context
     */
    public record Guests(Dispatcher dispatcher, ExchangeConfig limits) {}

    /** Tells all peers to take no more requests; each connection closes after its last answer. */
    public void drainConnections() {
        served.keySet().forEach(PeerConnection::drain);
    }

    /**
     * Closes all connections of peers.
     *
     * @param reason for the log
     */
    public void closeConnections(String reason) {
        served.keySet().forEach(connection -> connection.close(reason));
    }

    /**
     * Finds the connection of a peer.
     *
     * @param name as in status
     * @return the connection; null when there is none
     */
    public @Nullable PeerConnection connection(String name) {
        for (PeerConnection one : served.keySet()) {
            if (one.peerName().equals(name)) {
                return one;
            }
        }
        return null;
    }

    /**
     * Gives the connections of a peer no new requests, those that come later included.
     *
     * @param name of an identity, a process or a connection
     * @return how many there are now; -1 when too many names are drained
     */
    public int drainPeers(String name) {
        return drained.add(name) ? lookAtPeers(name) : -1;
    }

    /**
     * Gives them requests again.
     *
     * @param name that was drained
     * @return how many there are now; -1 when it was not
     */
    public int resumePeers(String name) {
        return drained.remove(name) ? lookAtPeers(name) : -1;
    }

    private int lookAtPeers(String name) {
        int count = 0;
        for (PeerConnection one : served.keySet()) {
            if (DrainedPeers.isNamed(name, one)) {
                count++;
                one.weight().drain(drained.holds(one));
                weighed(one);
            }
        }
        return count;
    }

    /**
     * Returns the names of all peers that are drained.
     *
     * @return sorted
     */
    public List<String> drainedPeers() {
        return drained.names();
    }

    /**
     * Looks again at a connection whose weight has changed.
     *
     * @param connection one that has been admitted
     */
    public void weighed(PeerConnection connection) {
        opened(connection);
        served.getOrDefault(connection, Set.of()).forEach(ContextAssistant::dispatch);
    }

    /**
     * Has requests of a context refused, or taken again. Those that it has already go on.
     *
     * @param context what it serves
     * @param pause what clients are told; null to take requests again
     * @return false when no such context is known
     */
    public boolean pause(ServedContext context, @Nullable Pause pause) {
        lock.lock();
        try {
            ContextAssistant assistant = routes.get(key(context));
            if (assistant == null) {
                return false;
            }
            if (pause != null) {
                assistant.pause(pause);
            } else if (assistant.resume()) {
                forget(assistant);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns how many requests wait, over all contexts.
     *
     * @return requests
     */
    public int waiting() {
        return routes.all().stream().mapToInt(ContextAssistant::waiting).sum();
    }

    /**
     * Returns pictures of all contexts for status pages.
     *
     * @return sorted by context and virtual host
     */
    public List<ContextStatus> contexts() {
        List<ContextStatus> status = routes.status();
        status.sort(
                Comparator.comparing(ContextStatus::context)
                        .thenComparing(ContextStatus::virtualHost));
        return status;
    }

    /**
     * Returns pictures of all connections for status pages.
     *
     * @param picture makes the picture of a connection
     * @return sorted by name
     */
    public List<PeerStatus> peers(Function<PeerConnection, PeerStatus> picture) {
        List<PeerStatus> status = new ArrayList<>();
        long now = clock.nanos();
        served.keySet()
                .forEach(
                        one ->
                                status.add(
                                        picture.apply(one)
                                                .aged(now - since.getOrDefault(one, now))
                                                .weighing(one.weight().value())));
        status.sort(Comparator.comparing(PeerStatus::name));
        return status;
    }
}
