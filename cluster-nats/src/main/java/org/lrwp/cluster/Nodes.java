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
    /** What is known of one node, and whether its contexts are not counted on any more. */
    private record Known(Message.Heartbeat beat, long heard, boolean gone, boolean old) {}

    private final long freshNanos;
    private final long keptNanos;
    private final Map<String, Known> nodes = new ConcurrentHashMap<>();

    /**
     * Creates a view without a node.
     *
     * @param freshNanos a node that was not heard for so long is silent
     * @param keptNanos the contexts of a node that was not heard for so long are forgotten, and it
     *     too when it has nothing to do with requests
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
        Known before = nodes.put(beat.node(), new Known(beat, now, false, false));
        if (before != null && before.beat().session() != beat.session()) {
            return Change.RESTARTED;
        }
        boolean same =
                before != null && !before.old() && contexts(before.beat()).equals(contexts(beat));
        return same ? Change.NOTHING : Change.CONTEXTS;
    }

    private static Set<ServedContext> contexts(Message.Heartbeat beat) {
        Set<ServedContext> contexts = new HashSet<>();
        beat.contexts()
                .forEach(one -> contexts.add(new ServedContext(one.context(), one.virtualHost())));
        return contexts;
    }

    /** All that other nodes serve, those included that are not silent for long. */
    Set<ServedContext> contexts() {
        Set<ServedContext> all = new HashSet<>();
        nodes.values().stream()
                .filter(one -> !one.old())
                .forEach(one -> all.addAll(contexts(one.beat())));
        return all;
    }

    /** Those that were not heard lately, and of which nobody says that they are gone. */
    List<String> silent(long now) {
        return names(one -> !one.gone() && now - one.heard() > freshNanos);
    }

    /**
     * Forgets the contexts of those that were not heard for long.
     *
     * @return whether there are any that were known until now
     */
    boolean age(long now) {
        List<String> old = names(one -> !one.old() && now - one.heard() > keptNanos);
        for (String node : old) {
            nodes.computeIfPresent(node, (name, known) -> aged(known, now));
        }
        return !old.isEmpty();
    }

    /** It may have been heard in this moment. */
    private Known aged(Known known, long now) {
        boolean old = now - known.heard() > keptNanos;
        return new Known(known.beat(), known.heard(), known.gone(), old);
    }

    /**
     * Forgets those that were not heard for long.
     *
     * @param kept whether a node is kept all the same, by its name and how long it was not heard
     */
    List<String> forget(long now, Keeper kept) {
        List<String> forgotten = new ArrayList<>();
        nodes.forEach(
                (name, known) -> {
                    long silent = now - known.heard();
                    if (silent > keptNanos
                            && !kept.test(name, silent)
                            && nodes.remove(name, known)) {
                        forgotten.add(name);
                    }
                });
        return forgotten;
    }

    /** Says something of a node that was not heard for some nanoseconds. */
    @FunctionalInterface
    interface Keeper {
        boolean test(String node, long silentNanos);
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
        return nodes.replace(
                node, known, new Known(known.beat(), known.heard(), true, known.old()));
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
