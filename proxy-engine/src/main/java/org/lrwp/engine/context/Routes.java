package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the context of a path: docs/protocol.md section 7. Immutable.
 *
 * <p>Order: path contexts, the longest first, on whole segments; then extensions; then the root
 * context. Of two contexts with the same name the one of the exact virtual host goes first.
 */
final class Routes {
    static final Routes EMPTY = new Routes(Map.of(), new BitSet());

    /** By virtual host, then by name. */
    private final Map<String, Map<String, ContextAssistant>> contexts;

    /** Virtual host (empty = every host) and context, as registered. */
    record Key(String virtualHost, String context) {}

    /** How long names are, and have been: a path is cut only where one may end. */
    private final BitSet lengths;

    private Routes(Map<String, Map<String, ContextAssistant>> contexts, BitSet lengths) {
        this.contexts = contexts;
        this.lengths = lengths;
    }

    Routes with(Key key, ContextAssistant assistant) {
        Map<String, ContextAssistant> more = new HashMap<>(of(key.virtualHost()));
        more.put(key.context(), assistant);
        BitSet known = (BitSet) lengths.clone();
        known.set(key.context().length());
        return with(key.virtualHost(), more, known);
    }

    Routes without(Key key) {
        Map<String, ContextAssistant> fewer = new HashMap<>(of(key.virtualHost()));
        fewer.remove(key.context());
        return with(key.virtualHost(), fewer, lengths);
    }

    private Routes with(String virtualHost, Map<String, ContextAssistant> now, BitSet known) {
        Map<String, Map<String, ContextAssistant>> changed = new HashMap<>(contexts);
        if (now.isEmpty()) {
            changed.remove(virtualHost);
        } else {
            changed.put(virtualHost, now);
        }
        return new Routes(changed, known);
    }

    private Map<String, ContextAssistant> of(String virtualHost) {
        return contexts.getOrDefault(virtualHost, Map.of());
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
        int end = path.length();
        while (end > 1) {
            if (lengths.get(end) && path.charAt(end - 1) != '/') {
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
