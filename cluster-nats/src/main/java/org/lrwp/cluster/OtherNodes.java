package org.lrwp.cluster;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The other nodes of a cluster, for an operator of this one. Thread-safe; never blocks. */
public interface OtherNodes {
    /** A node has not answered in time: nobody knows whether it has done anything. */
    int UNANSWERED = Integer.MIN_VALUE;

    /** There is no cluster. */
    OtherNodes NONE =
            new OtherNodes() {
                @Override
                public String self() {
                    return "";
                }

                @Override
                public List<String> names() {
                    return List.of();
                }

                @Override
                public CompletableFuture<Integer> order(String node, Order order) {
                    return CompletableFuture.completedFuture(UNANSWERED);
                }
            };

    /**
     * Returns the name of this node.
     *
     * @return empty when there is no cluster
     */
    String self();

    /**
     * Returns the nodes that are known and not gone.
     *
     * @return sorted, without this one
     */
    List<String> names();

    /**
     * Has a node do something.
     *
     * @param node its name
     * @param order what
     * @return soon, how many connections of peers were meant: 0 for an order about the node, below
     *     0 when it was not done
     */
    CompletableFuture<Integer> order(String node, Order order);
}
