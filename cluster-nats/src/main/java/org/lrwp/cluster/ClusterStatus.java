package org.lrwp.cluster;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A picture of the cluster as this node sees it.
 *
 * @param enabled whether this node is to be one of a cluster
 * @param cluster its name
 * @param node name of this node
 * @param connected whether NATS is reached; when not, this node works alone
 * @param reason why it is not reached; empty when it is
 * @param sinceMillis since when it is, or is not
 * @param nodes all nodes that are known, this one first
 * @param figures counts since the start
 */
public record ClusterStatus(
        boolean enabled,
        String cluster,
        String node,
        boolean connected,
        String reason,
        long sinceMillis,
        List<Node> nodes,
        Map<String, Long> figures) {
    /** A node that is none of a cluster. */
    public static final ClusterStatus OFF =
            new ClusterStatus(false, "", "", false, "", 0, List.of(), Map.of());

    /** Copies the collections; the figures keep their order. */
    public ClusterStatus {
        nodes = List.copyOf(nodes);
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    /** Whether a node is heard. */
    public enum State {
        /** This node. */
        SELF,
        /** It was heard lately. */
        LIVE,
        /** It was not heard for three heartbeats: it gets nothing. */
        SILENT,
        /** It is silent, and NATS says that nobody listens in its place. */
        GONE
    }

    /**
     * One node.
     *
     * @param name its name
     * @param state whether it is heard
     * @param ageMillis since when it was not heard
     * @param version of its program
     * @param epoch of its life: another one after each start
     * @param draining whether nothing new is to be sent there: an operator has drained it, or it
     *     goes down
     * @param away requests that it has of this node
     * @param contexts what its peers serve
     */
    public record Node(
            String name,
            State state,
            long ageMillis,
            String version,
            long epoch,
            boolean draining,
            int away,
            List<Context> contexts) {
        /** Copies the list. */
        public Node {
            contexts = List.copyOf(contexts);
        }

        /**
         * Sums up.
         *
         * @return free slots of all contexts
         */
        public int free() {
            return contexts.stream().mapToInt(Context::free).sum();
        }

        /**
         * Sums up.
         *
         * @return slots of all contexts
         */
        public int slots() {
            return contexts.stream().mapToInt(Context::slots).sum();
        }

        /**
         * Sums up.
         *
         * @return requests that wait, over all contexts
         */
        public int waiting() {
            return contexts.stream().mapToInt(Context::waiting).sum();
        }
    }

    /**
     * One context of a node.
     *
     * @param context as users write it
     * @param virtualHost the only host it serves, empty for every host
     * @param slots requests its peers can have at once
     * @param free slots that have none
     * @param waiting requests that wait for a slot
     */
    public record Context(String context, String virtualHost, int slots, int free, int waiting) {}
}
