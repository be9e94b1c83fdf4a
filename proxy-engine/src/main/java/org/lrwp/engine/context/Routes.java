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
    private final Map<String, Map<Name, ContextAssistant>> contexts = new ConcurrentHashMap<>();

    /** Virtual host (empty = every host) and context, as registered. */
    record Key(String virtualHost, String context) {}

    /**
     * The name of a context, or what may be one: the beginning of a path, which is not cut out for
     * each request.
     */
    private static final class Name implements Comparable<Name> {
        private static final int FACTOR = 31;

        private final String text;
        private final int end;

        Name(String text, int end) {
            this.text = text;
            this.end = end;
        }

        static Name of(String whole) {
            return new Name(whole, whole.length());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Name name
                    && end == name.end
                    && text.regionMatches(0, name.text, 0, end);
        }

        /** Names that were made to have the same hash are still found in a few steps. */
        @Override
        public int compareTo(Name other) {
            return end == other.end
                    ? text.substring(0, end).compareTo(other.text.substring(0, end))
                    : Integer.compare(end, other.end);
        }

        @Override
        public int hashCode() {
            int hash = 0;
            for (int i = 0; i < end; i++) {
                hash = FACTOR * hash + text.charAt(i);
            }
            return hash;
        }
    }

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
                .put(Name.of(key.context()), assistant);
    }

    void remove(Key key) {
        Map<Name, ContextAssistant> ofHost = of(key.virtualHost());
        ofHost.remove(Name.of(key.context()));
        if (ofHost.isEmpty()) {
            contexts.remove(key.virtualHost());
        }
    }

    private Map<Name, ContextAssistant> of(String virtualHost) {
        Map<Name, ContextAssistant> known = contexts.get(virtualHost);
        return known == null ? Map.of() : known;
    }

    @Nullable ContextAssistant get(Key key) {
        return of(key.virtualHost()).get(Name.of(key.context()));
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
            ContextAssistant root = find(host, Name.of("/"));
            found = root == null ? null : new ContextMatch(root, path, 0);
        }
        return found;
    }

    private @Nullable ContextMatch matchPath(String host, String path) {
        BitSet known = lengths;
        int end = path.length();
        while (end > 1) {
            if (known.get(end) && path.charAt(end - 1) != '/') {
                ContextAssistant assistant = find(host, new Name(path, end));
                if (assistant != null) {
                    return new ContextMatch(assistant, path, end);
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
        ContextAssistant assistant = find(host, Name.of(path.substring(dot)));
        return assistant == null ? null : new ContextMatch(assistant, path, path.length());
    }

    private @Nullable ContextAssistant find(String host, Name context) {
        ContextAssistant exact = of(host).get(context);
        return exact == null && !host.isEmpty() ? of("").get(context) : exact;
    }

    List<ContextStatus> status() {
        List<ContextStatus> status = new ArrayList<>();
        all().forEach(assistant -> status.add(assistant.status()));
        return status;
    }
}
