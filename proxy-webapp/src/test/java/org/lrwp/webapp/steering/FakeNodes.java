package org.lrwp.webapp.steering;

import org.lrwp.cluster.Order;
import org.lrwp.cluster.OtherNodes;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Other nodes of a cluster whose answers a test gives; this one is {@code a}. */
public final class FakeNodes implements OtherNodes {
    private final Map<String, CompletableFuture<Integer>> answers = new TreeMap<>();
    private final List<String> told = new CopyOnWriteArrayList<>();

    /** Adds a node; it answers when the test completes what is returned. */
    public CompletableFuture<Integer> add(String name) {
        var answer = new CompletableFuture<Integer>();
        answers.put(name, answer);
        return answer;
    }

    /** What they were told. */
    public List<String> told() {
        return told;
    }

    @Override
    public String self() {
        return "a";
    }

    @Override
    public List<String> names() {
        return List.copyOf(answers.keySet());
    }

    @Override
    public CompletableFuture<Integer> order(String node, Order order) {
        told.add(node + " " + order.kind() + " " + order.subject() + " " + order.operator());
        return answers.getOrDefault(node, CompletableFuture.completedFuture(UNANSWERED));
    }
}
