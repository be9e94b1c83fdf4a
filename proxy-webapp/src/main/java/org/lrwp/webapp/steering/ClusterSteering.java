package org.lrwp.webapp.steering;

import org.lrwp.cluster.Cluster;
import org.lrwp.cluster.Order;
import org.lrwp.cluster.OtherNodes;
import org.lrwp.engine.EngineCommands;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * The commands of an operator for a node, this one or another, and for a peer at all of them. Their
 * outcome comes when the others have answered, or not in time. Any thread; none waits.
 */
public final class ClusterSteering {
    /** Characters of the name of a peer. */
    private static final int LONGEST_NAME = 300;

    /** This proxy when it is none of a cluster. */
    private static final String ALONE = "this proxy";

    private final EngineCommands engine;
    private final Supplier<OtherNodes> others;
    private final AuditTrail audit;

    /**
     * Creates the commands.
     *
     * @param engine what they do to the engine
     * @param others gives the other nodes
     * @param audit told of what other nodes were told
     */
    public ClusterSteering(EngineCommands engine, Supplier<OtherNodes> others, AuditTrail audit) {
        this.engine = engine;
        this.others = others;
        this.audit = audit;
    }

    // ---- A node.

    /**
     * Has no new requests sent to a node.
     *
     * @param node its name; empty for this one
     * @param operator who wants it
     * @return soon, what became of it
     */
    public CompletableFuture<SteeringOutcome> drainNode(String node, AuditActor operator) {
        return node(Order.Kind.DRAIN_NODE, node, operator);
    }

    /**
     * Has new requests sent to a node again.
     *
     * @param node its name; empty for this one
     * @param operator who wants it
     * @return soon, what became of it
     */
    public CompletableFuture<SteeringOutcome> resumeNode(String node, AuditActor operator) {
        return node(Order.Kind.RESUME_NODE, node, operator);
    }

    private CompletableFuture<SteeringOutcome> node(
            Order.Kind kind, String node, AuditActor operator) {
        OtherNodes nodes = others.get();
        if (node.isEmpty() || node.equals(nodes.self())) {
            here(kind, nodes.self(), operator);
            String self = nodes.self().isEmpty() ? "This proxy" : "The node " + nodes.self();
            return CompletableFuture.completedFuture(done(kind, self));
        }
        if (!nodes.names().contains(node)) {
            return CompletableFuture.completedFuture(
                    new SteeringOutcome(404, "There is no node " + node + " in this cluster."));
        }
        return nodes.order(node, new Order(kind, "", operator.identity()))
                .thenApply(count -> there(kind, node, operator, count));
    }

    private void here(Order.Kind kind, String self, AuditActor operator) {
        String name = self.isEmpty() ? ALONE : Cluster.NODE + self;
        if (kind == Order.Kind.DRAIN_NODE) {
            engine.drainNode(name, operator);
        } else {
            engine.resumeNode(name, operator);
        }
    }

    /** The other node has written it down; so does this one. */
    private SteeringOutcome there(Order.Kind kind, String node, AuditActor operator, int count) {
        if (count < 0) {
            return new SteeringOutcome(409, "The node " + node + " has not answered.");
        }
        audit.record(
                AuditEvent.done(
                        kind == Order.Kind.DRAIN_NODE
                                ? AuditEvent.Action.DRAIN
                                : AuditEvent.Action.RESUME,
                        operator,
                        Cluster.NODE + node,
                        ""));
        return done(kind, "The node " + node);
    }

    private static SteeringOutcome done(Order.Kind kind, String node) {
        return SteeringOutcome.done(
                kind == Order.Kind.DRAIN_NODE
                        ? node
                                + " is drained: it is not ready, and other nodes send it nothing;"
                                + " what comes is answered."
                        : node + " takes requests.");
    }

    // ---- A peer at all nodes.

    /**
     * Has a peer get no new requests, at any node.
     *
     * @param peer name of its identity, its process or a connection
     * @param operator who wants it
     * @return soon, what became of it
     */
    public CompletableFuture<SteeringOutcome> drainPeers(String peer, AuditActor operator) {
        if (peer.isEmpty()
                || peer.length() > LONGEST_NAME
                || peer.chars().anyMatch(Character::isISOControl)) {
            return CompletableFuture.completedFuture(
                    new SteeringOutcome(
                            400, "peer: 1 to 300 characters, without control characters."));
        }
        int here = engine.drainPeers(peer, operator);
        return everywhere(new Order(Order.Kind.DRAIN_PEERS, peer, operator.identity()), here)
                .thenApply(counts -> drainedPeers(peer, counts));
    }

    private static SteeringOutcome drainedPeers(String peer, Map<String, Integer> counts) {
        List<String> not = without(counts, count -> count < 0);
        String done = peer + " gets no new requests" + of(counts) + ".";
        return not.isEmpty()
                ? SteeringOutcome.done(done)
                : new SteeringOutcome(
                        409, done + " Not done: " + String.join(", ", not) + "; say it again.");
    }

    /**
     * Has it get requests again.
     *
     * @param peer as it was drained
     * @param operator who wants it
     * @return soon, what became of it
     */
    public CompletableFuture<SteeringOutcome> resumePeers(String peer, AuditActor operator) {
        int here = engine.resumePeers(peer, operator);
        return everywhere(new Order(Order.Kind.RESUME_PEERS, peer, operator.identity()), here)
                .thenApply(counts -> resumedPeers(peer, counts));
    }

    private static SteeringOutcome resumedPeers(String peer, Map<String, Integer> counts) {
        List<String> not = without(counts, count -> count == OtherNodes.UNANSWERED);
        if (!not.isEmpty()) {
            return new SteeringOutcome(
                    409,
                    peer
                            + " gets requests"
                            + of(counts)
                            + ". Not done: "
                            + String.join(", ", not)
                            + "; say it again.");
        }
        return counts.values().stream().allMatch(count -> count < 0)
                ? new SteeringOutcome(404, "No peer is drained as " + peer + ".")
                : SteeringOutcome.done(peer + " gets requests" + of(counts) + ".");
    }

    /** How many connections there are, by node. */
    private static String of(Map<String, Integer> counts) {
        List<String> parts = new ArrayList<>();
        counts.forEach(
                (node, count) -> {
                    if (count > 0) {
                        parts.add(count + " at " + node);
                    }
                });
        return parts.isEmpty()
                ? "; it has no connection now"
                : " (connections: " + String.join(", ", parts) + ")";
    }

    private static List<String> without(Map<String, Integer> counts, IntPredicate kind) {
        return counts.entrySet().stream()
                .filter(one -> kind.test(one.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** What all nodes say, by name. */
    private CompletableFuture<Map<String, Integer>> everywhere(Order order, int here) {
        OtherNodes nodes = others.get();
        Map<String, CompletableFuture<Integer>> asked = new TreeMap<>();
        nodes.names().forEach(node -> asked.put(node, nodes.order(node, order)));
        String self = nodes.self().isEmpty() ? ALONE : nodes.self();
        asked.put(self, CompletableFuture.completedFuture(here));
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .thenApply(
                        all -> {
                            Map<String, Integer> counts = new TreeMap<>();
                            asked.forEach((node, count) -> counts.put(node, count.join()));
                            return counts;
                        });
    }
}
