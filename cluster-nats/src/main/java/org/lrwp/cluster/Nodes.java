package org.lrwp.cluster;

import org.lrwp.engine.peer.ServedContext;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/**
 * What is known of all other nodes: their last word, and when it came. The thread that hears
 * heartbeats and the one that sends them change it; any thread looks.
 */
final class Nodes {
    /** What is known of one node. */
    private record Known(Message.Heartbeat beat, long heard, boolean gone) {}

    private final long freshNanos;
    private final long keptNanos;
    private final Map<String, Known> nodes = new ConcurrentHashMap<>();

    /**
     * Creates a view without a node.
     *
     * @param freshNanos a node that was not heard for so long is silent
     * @param keptNanos a node that was not heard for so long is forgotten
     */
    Nodes(long freshNanos, long keptNanos) {
        this.freshNanos = freshNanos;
        this.keptNanos = keptNanos;
    }

    /** What a heartbeat has changed. */
    enum Change {
        /** Free slots, perhaps. */
        NOTHING,
        /** The node serves other contexts than before, or was not known. */
        CONTEXTS,
        /** It, or its connection, has been started again, so that what it had is lost. */
        RESTARTED
    }

    /** A node has said what it has. */
    Change heard(Message.Heartbeat beat, long now) {
        Known before = nodes.put(beat.node(), new Known(beat, now, false));
        if (before != null && before.beat().session() != beat.session()) {
            return Change.RESTARTED;
        }
        boolean same = before != null && contexts(before.beat()).equals(contexts(beat));
        return same ? Change.NOTHING : Change.CONTEXTS;
    }

    private static Set<ServedContext> contexts(Message.Heartbeat beat) {
        Set<ServedContext> contexts = new HashSet<>();
        beat.contexts()
                .forEach(one -> contexts.add(new ServedContext(one.context(), one.virtualHost())));
        return contexts;
    }

    /** All that other nodes serve, those that are silent included. */
    Set<ServedContext> contexts() {
        Set<ServedContext> all = new HashSet<>();
        nodes.values().forEach(one -> all.addAll(contexts(one.beat())));
        return all;
    }

    /** Those that were not heard lately, and of which nobody says that they are gone. */
    List<String> silent(long now) {
        return names(one -> !one.gone() && now - one.heard() > freshNanos);
    }

    /** Forgets those that were not heard for long. */
    List<String> forget(long now) {
        List<String> old = names(one -> now - one.heard() > keptNanos);
        nodes.keySet().removeAll(old);
        return old;
    }

    private List<String> names(java.util.function.Predicate<Known> kind) {
        List<String> names = new ArrayList<>();
        nodes.forEach(
                (name, known) -> {
                    if (kind.test(known)) {
                        names.add(name);
                    }
                });
        return names;
    }

    /** NATS says that nobody listens in the place of a node; true when it was silent before. */
    boolean gone(String node, long now) {
        Known known = nodes.get(node);
        if (known == null || known.gone() || now - known.heard() <= freshNanos) {
            return false;
        }
        return nodes.replace(node, known, new Known(known.beat(), known.heard(), true));
    }

    /** Pictures of all, by name. */
    List<ClusterStatus.Node> status(long now, ToIntFunction<String> away) {
        List<ClusterStatus.Node> all = new ArrayList<>();
        nodes.forEach((name, known) -> all.add(picture(known, now, away.applyAsInt(name))));
        all.sort(Comparator.comparing(ClusterStatus.Node::name));
        return all;
    }

    private ClusterStatus.Node picture(Known known, long now, int away) {
        long age = now - known.heard();
        ClusterStatus.State live =
                age > freshNanos ? ClusterStatus.State.SILENT : ClusterStatus.State.LIVE;
        return picture(known.beat(), known.gone() ? ClusterStatus.State.GONE : live, age, away);
    }

    static ClusterStatus.Node picture(
            Message.Heartbeat beat, ClusterStatus.State state, long ageNanos, int away) {
        return new ClusterStatus.Node(
                beat.node(),
                state,
                ageNanos / 1_000_000,
                beat.version(),
                beat.epoch(),
                beat.draining(),
                away,
                beat.contexts().stream()
                        .map(
                                one ->
                                        new ClusterStatus.Context(
                                                one.context(),
                                                one.virtualHost(),
                                                one.slots(),
                                                one.free(),
                                                one.waiting()))
                        .toList());
    }
}
