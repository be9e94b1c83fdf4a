package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerHandler;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.WorkSource;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.protocol.Registration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All contexts: finds the one a request belongs to, and the work for a slot that is free.
 *
 * <p>Design: requests read an immutable {@link Routes} without a lock; registrations replace it.
 * Thread-safe; never blocks.
 */
public final class ContextAssistantManager implements WorkSource {
    private final ContextConfigs configs;
    private final NanoClock clock;
    private final Deadlines deadlines;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<PeerConnection, List<ContextAssistant>> served = new ConcurrentHashMap<>();
    private volatile Routes routes = Routes.EMPTY;

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
        configs.named()
                .forEach(
                        (name, config) -> {
                            if (config.named()) {
                                assistant(new Routes.Key("", name));
                            }
                        });
    }

    /**
     * Finds the context of a request.
     *
     * @param host the request's host in lower case, without port; empty when it has none
     * @param path the decoded path, without dot segments and double slashes
     * @return the context and how it cuts the path; null when no context is registered for it
     */
    public @Nullable ContextMatch match(String host, String path) {
        return routes.match(host, path);
    }

    /**
     * Returns the limits for the peers of a context.
     *
     * @param registration what a peer asks for
     * @return the context's configuration
     */
    public ContextConfig config(Registration registration) {
        return configs.of(registration.context());
    }

    /**
     * Adds a connection to the context it serves. Its slots are not used before they are free.
     *
     * @param connection a connection whose peer has been let in
     * @param registration what it serves
     */
    public void register(PeerConnection connection, Registration registration) {
        var key =
                new Routes.Key(
                        registration.virtualHost().toLowerCase(Locale.ROOT),
                        registration.context());
        lock.lock();
        try {
            ContextAssistant assistant = assistant(key);
            if (!assistant.add(connection)) {
                routes = routes.without(key);
                assistant = assistant(key);
                assistant.add(connection);
            }
            served.put(connection, List.of(assistant));
        } finally {
            lock.unlock();
        }
    }

    private ContextAssistant assistant(Routes.Key key) {
        ContextAssistant known = routes.get(key);
        if (known != null) {
            return known;
        }
        var assistant =
                new ContextAssistant(
                        key.context(), key.virtualHost(), limits(key), clock, deadlines);
        routes = routes.with(key, assistant);
        return assistant;
    }

    /** Configuration names contexts of every host; one of a virtual host goes when its peers go. */
    private ContextConfig limits(Routes.Key key) {
        ContextConfig limits = configs.of(key.context());
        return key.virtualHost().isEmpty() ? limits : limits.unnamed();
    }

    @Override
    public void gone(PeerConnection connection) {
        List<ContextAssistant> contexts = served.remove(connection);
        if (contexts != null) {
            for (ContextAssistant assistant : contexts) {
                assistant.remove(connection, () -> forget(assistant));
            }
        }
    }

    private void forget(ContextAssistant assistant) {
        var key = new Routes.Key(assistant.virtualHost(), assistant.contextName());
        lock.lock();
        try {
            if (routes.get(key) == assistant) {
                routes = routes.without(key);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void slotFree(PeerConnection connection) {
        List<ContextAssistant> contexts = served.getOrDefault(connection, List.of());
        while (true) {
            ContextAssistant next = longestWaiting(contexts);
            PeerHandler slot = next == null ? null : connection.claim();
            if (next == null || slot == null || !next.serve(slot)) {
                return;
            }
        }
    }

    private static @Nullable ContextAssistant longestWaiting(List<ContextAssistant> contexts) {
        ContextAssistant longest = null;
        long deadline = Long.MAX_VALUE;
        for (ContextAssistant one : contexts) {
            long next = one.nextDeadline();
            if (next != Long.MAX_VALUE && (longest == null || next - deadline < 0)) {
                longest = one;
                deadline = next;
            }
        }
        return longest;
    }

    /**
     * Fails all requests that wait.
     *
     * @param failure what their clients get
     */
    public void failWaiting(Failure failure) {
        routes.all().forEach(assistant -> assistant.failAll(failure));
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
     * @return sorted by name
     */
    public List<PeerStatus> peers() {
        List<PeerStatus> status = new ArrayList<>();
        served.keySet().forEach(connection -> status.add(connection.status()));
        status.sort(Comparator.comparing(PeerStatus::name));
        return status;
    }
}
