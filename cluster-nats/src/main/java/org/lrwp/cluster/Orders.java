package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.EngineCluster;
import org.lrwp.engine.EngineCommands;
import org.lrwp.engine.audit.AuditActor;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What operators want of other nodes, and those there of this one. An order is told once: whoever
 * does not answer in time may have done it or not, and doing it again does no harm. Thread-safe;
 * never blocks.
 */
final class Orders {
    private static final String WORD = "order-";

    private final EngineCluster engine;
    private final Subjects subjects;
    private final ScheduledExecutorService timer;
    private final long patienceNanos;
    private final Map<String, CompletableFuture<Integer>> open = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private volatile @Nullable Bus bus;

    /**
     * Creates it.
     *
     * @param timer ends what is not answered
     * @param patienceNanos when that is
     */
    Orders(
            EngineCluster engine,
            Subjects subjects,
            ScheduledExecutorService timer,
            long patienceNanos) {
        this.engine = engine;
        this.subjects = subjects;
        this.timer = timer;
        this.patienceNanos = patienceNanos;
    }

    /** The others can be reached from now on. */
    void use(Bus way) {
        bus = way;
    }

    /** They cannot any more. */
    void stop() {
        bus = null;
        open.keySet().forEach(word -> ended(word, OtherNodes.UNANSWERED));
    }

    // ---- Of this node's operators.

    CompletableFuture<Integer> send(String node, Order order) {
        String word = WORD + ids.incrementAndGet();
        var answer = new CompletableFuture<Integer>();
        open.put(word, answer);
        byte[] bytes = Wire.bytes(new Message.Ordered(subjects.node(), order));
        Bus way = bus;
        if (way == null || !way.send(subjects.control(node), subjects.answers(word), bytes)) {
            ended(word, OtherNodes.UNANSWERED);
        } else {
            var _ =
                    timer.schedule(
                            () -> ended(word, OtherNodes.UNANSWERED),
                            patienceNanos,
                            TimeUnit.NANOSECONDS);
        }
        return answer;
    }

    /** A node has done what the last word of a subject names. */
    void heard(String word, Message.Done done) {
        ended(word, done.count());
    }

    /** Nobody has heard it; false when the word names no order. */
    boolean unheard(String word) {
        if (word.startsWith(WORD)) {
            ended(word, OtherNodes.UNANSWERED);
            return true;
        }
        return false;
    }

    private void ended(String word, int count) {
        CompletableFuture<Integer> answer = open.remove(word);
        if (answer != null) {
            answer.complete(count);
        }
    }

    // ---- Of another node's.

    /** Does what the operator of another node wants, and tells it. */
    void obey(String answers, Message.Ordered ordered) {
        int count = obey(ordered.node(), ordered.order());
        Bus way = bus;
        if (way != null && !answers.isEmpty()) {
            way.send(answers, null, Wire.bytes(new Message.Done(count)));
        }
    }

    private int obey(String node, Order order) {
        EngineCommands commands = engine.commands();
        var actor = new AuditActor(order.operator(), Cluster.NODE + node, "");
        String self = Cluster.NODE + subjects.node();
        return switch (order.kind()) {
            case DRAIN_NODE -> {
                commands.drainNode(self, actor);
                yield 0;
            }
            case RESUME_NODE -> {
                commands.resumeNode(self, actor);
                yield 0;
            }
            case DRAIN_PEERS -> commands.drainPeers(order.subject(), actor);
            case RESUME_PEERS -> commands.resumePeers(order.subject(), actor);
        };
    }
}
