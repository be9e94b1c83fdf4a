package org.lrwp.engine.context;

import org.lrwp.engine.peer.ServedContext;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Contexts that the configuration gives to somebody. While none of their peers is there, a request
 * below them goes to nobody else: neither to whoever serves a shorter path nor to the root context.
 * Immutable.
 */
public final class Claims {
    /** Nothing is given to anybody. */
    public static final Claims NONE = new Claims(Map.of());

    /** By virtual host (empty = every host), then by context: who may serve it. */
    private final Map<String, Map<String, Set<String>>> owners = new HashMap<>();

    private final BitSet lengths = new BitSet();

    /**
     * Creates claims.
     *
     * @param given the names of those who may serve it, by context
     */
    public Claims(Map<ServedContext, Set<String>> given) {
        given.forEach(
                (one, names) -> {
                    lengths.set(one.context().length());
                    owners.computeIfAbsent(
                                    one.virtualHost().toLowerCase(Locale.ROOT),
                                    host -> new HashMap<>())
                            .put(one.context(), Set.copyOf(names));
                });
    }

    /**
     * Says whether a context has been found only because nobody serves what belongs to somebody
     * else.
     *
     * @param found for the request
     * @param host the request's host in lower case; empty when it has none
     * @param path the decoded path
     */
    boolean forbid(ContextMatch found, String host, String path) {
        if (owners.isEmpty()) {
            return false;
        }
        String owner = found.assistant().owner();
        // Of a context that nobody has registered the owner is not known, and nobody answers.
        boolean registered = !owner.isEmpty();
        boolean root = found.assistant().contextName().equals("/");
        return registered
                && (forbidsPath(found, owner, host, path)
                        || (root && forbidsExtension(owner, host, path)));
    }

    /** Looks at each path that is longer than the context that was found. */
    private boolean forbidsPath(ContextMatch found, String owner, String host, String path) {
        String name = found.assistant().contextName();
        int served = name.equals("/") || name.startsWith(".") ? 0 : name.length();
        for (int end = path.length(); end > served; end = path.lastIndexOf('/', end - 1)) {
            if (lengths.get(end) && isOthers(owner, host, path.substring(0, end))) {
                return true;
            }
        }
        return false;
    }

    private boolean forbidsExtension(String owner, String host, String path) {
        int dot = path.lastIndexOf('.');
        return dot > path.lastIndexOf('/') + 1 && isOthers(owner, host, path.substring(dot));
    }

    private boolean isOthers(String owner, String host, String context) {
        Set<String> names = names(host, context);
        names = names.isEmpty() && !host.isEmpty() ? names("", context) : names;
        return !names.isEmpty() && !names.contains(owner);
    }

    private Set<String> names(String host, String context) {
        return owners.getOrDefault(host, Map.of()).getOrDefault(context, Set.of());
    }
}
