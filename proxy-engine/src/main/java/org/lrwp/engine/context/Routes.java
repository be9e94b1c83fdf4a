package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the context of a path: docs/protocol.md section 7.
 *
 * <p>Order: path contexts, the longest first, on whole segments; then extensions; then the root
 * context. Of two contexts with the same name the one of the exact virtual host goes first.
 *
 * <p>Any thread reads, without a lock; one thread at a time changes, at a cost that does not depend
 * on how many there are.
 */
final class Routes {
    /** By virtual host, then by name. */
    private final Map<String, Map<String, ContextAssistant>> contexts = new ConcurrentHashMap<>();

    /** Virtual host (empty = every host) and context, as registered. */
    record Key(String virtualHost, String context) {}

    /**
     * How long names are, and have been: a path is cut only where one may end. Replaced when a new
     * length comes, and there are few.
     */
    private volatile BitSet lengths = new BitSet();

    void put(Key key, ContextAssistant assistant) {
        int length = key.context().length();
        if (!lengths.get(length)) {
            BitSet more = (BitSet) lengths.clone();
            more.set(length);
            // Before the name: whoever finds it must look for names of this length.
            lengths = more;
        }
        contexts.computeIfAbsent(key.virtualHost(), host -> new ConcurrentHashMap<>())
                .put(key.context(), assistant);
    }

    void remove(Key key) {
        Map<String, ContextAssistant> ofHost = of(key.virtualHost());
        ofHost.remove(key.context());
        if (ofHost.isEmpty()) {
            contexts.remove(key.virtualHost());
        }
    }

    private Map<String, ContextAssistant> of(String virtualHost) {
        Map<String, ContextAssistant> known = contexts.get(virtualHost);
        return known == null ? Map.of() : known;
    }

    @Nullable ContextAssistant get(Key key) {
        return of(key.virtualHost()).get(key.context());
    }

    Collection<ContextAssistant> all() {
        List<ContextAssistant> all = new ArrayList<>();
        contexts.values().forEach(some -> all.addAll(some.values()));
        return all;
    }

    @Nullable ContextMatch match(String host, String path) {
        if (contexts.isEmpty()) {
            return null;
        }
        ContextMatch found = matchPath(host, path);
        if (found == null) {
            found = matchExtension(host, path);
        }
        if (found == null) {
            ContextAssistant root = find(host, "/");
            found = root == null ? null : new ContextMatch(root, "", path);
        }
        return found;
    }

    private @Nullable ContextMatch matchPath(String host, String path) {
        BitSet known = lengths;
        int end = path.length();
        while (end > 1) {
            if (known.get(end) && path.charAt(end - 1) != '/') {
                String prefix = path.substring(0, end);
                ContextAssistant assistant = find(host, prefix);
                if (assistant != null) {
                    return new ContextMatch(assistant, prefix, path.substring(end));
                }
            }
            end = path.lastIndexOf('/', end - 1);
        }
        return null;
    }

    private @Nullable ContextMatch matchExtension(String host, String path) {
        int dot = path.lastIndexOf('.');
        int slash = path.lastIndexOf('/');
        if (dot <= slash + 1) {
            return null;
        }
        ContextAssistant assistant = find(host, path.substring(dot));
        return assistant == null ? null : new ContextMatch(assistant, path, "");
    }

    private @Nullable ContextAssistant find(String host, String context) {
        ContextAssistant exact = of(host).get(context);
        return exact == null && !host.isEmpty() ? of("").get(context) : exact;
    }

    List<ContextStatus> status() {
        List<ContextStatus> status = new ArrayList<>();
        all().forEach(assistant -> status.add(assistant.status()));
        return status;
    }
}
