package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.EngineCluster;
import org.lrwp.engine.context.Overflow;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.ServedContext;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The requests of this node that other nodes have: who gets one, and whose answer has come.
 * Thread-safe; never blocks.
 */
final class Away implements Overflow {
    private final ClusterConfig config;
    private final Subjects subjects;
    private final EngineCluster engine;
    private final PeerEnvironment environment;
    private final OverflowDecision decision;
    private final ClusterFigures figures;
    private final Map<String, NodeConnection> nodes = new ConcurrentHashMap<>();
    private final Map<Long, NodeCall> calls = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final Packer packer;
    private volatile boolean joined;
    private volatile @Nullable Direct direct;
    private volatile long session;

    Away(
            ClusterConfig config,
            Subjects subjects,
            EngineCluster engine,
            OverflowDecision decision,
            Packer packer,
            ClusterFigures figures) {
        this.packer = packer;
        this.config = config;
        this.subjects = subjects;
        this.engine = engine;
        this.environment = engine.environment();
        this.decision = decision;
        this.figures = figures;
    }

    /** Large bodies go this way. */
    void sendBodiesBy(Direct way) {
        direct = way;
    }

    /** Requests may leave from now on. */
    void join(long ofNow) {
        session = ofNow;
        joined = true;
    }

    /** They may not any more, and what is away is lost. */
    void stop() {
        joined = false;
        decision.clear();
        nodes.values().forEach(NodeConnection::lose);
    }

    // ---- The engine asks.

    @Override
    public boolean takes(Exchange exchange) {
        long length = exchange.body().knownLength();
        boolean fits = length <= config.mostBody() || direct != null;
        return joined && length >= 0 && fits;
    }

    @Override
    public @Nullable PeerSlot claim(ServedContext context) {
        if (!joined) {
            return null;
        }
        String node = decision.pick(context, environment.clock().nanos());
        if (node == null) {
            return null;
        }
        NodeConnection connection =
                nodes.computeIfAbsent(
                        node, name -> new NodeConnection(name, environment, config.mostAway()));
        if (!connection.slots().claim()) {
            decision.ended(node, context);
            return null;
        }
        return new NodeCall(this, connection, context, ids.incrementAndGet()).call();
    }

    // ---- Its requests.

    void begins(long id, NodeCall call) {
        calls.put(id, call);
    }

    /** The loop of the calling thread; null elsewhere. */
    @Nullable Executor here() {
        return engine.here();
    }

    boolean send(
            NodeConnection node,
            long id,
            ServedContext context,
            ExchangeRequest request,
            ByteBuffer environmentBlock,
            Content content) {
        boolean gone =
                packer.send(
                        subjects.requests(node.node()),
                        answersTo(id),
                        new Message.Request(
                                subjects.node(),
                                session,
                                context.context(),
                                context.virtualHost(),
                                request.id(),
                                request.method(),
                                request.target(),
                                request.client(),
                                environmentBlock,
                                content.bytes(),
                                content.length()));
        if (gone) {
            figures.count(ClusterFigures.Figure.SENT);
        }
        return gone;
    }

    /**
     * The body of a request on its way.
     *
     * @param bytes all of it, or nothing when it goes by HTTP
     * @param length of one that goes by HTTP; -1 for one that is here
     */
    record Content(ByteBuffer bytes, long length) {}

    /** Whether a body goes by HTTP. */
    boolean isLarge(long length) {
        return length > config.mostBody();
    }

    /** Sends a large body to a node that is ready for it; true when it has arrived. */
    CompletableFuture<Boolean> bring(
            NodeConnection node, long id, Message.Ready ready, long length, Upload body) {
        Direct way = direct;
        return way == null
                ? CompletableFuture.completedFuture(false)
                : way.send(node.node(), ready, answersTo(id), length, body);
    }

    private String answersTo(long id) {
        return subjects.answers(Long.toString(id));
    }

    void ack(NodeConnection node, long id, int count) {
        tell(node, new Message.Ack(answersTo(id), count));
    }

    void cancel(NodeConnection node, long id) {
        tell(node, new Message.Cancel(answersTo(id)));
    }

    private void tell(NodeConnection node, Message message) {
        packer.sendBehind(subjects.control(node.node()), message);
    }

    void ended(long id) {
        calls.remove(id);
    }

    /** A slot that was taken is free again. */
    void freed(NodeConnection node, ServedContext context) {
        decision.ended(node.node(), context);
    }

    /** A node has said how many slots it has. */
    void told(NodeConnection node, ServedContext context, int free) {
        decision.told(node.node(), context, free);
    }

    /** There may be room for what waits. */
    void spill() {
        engine.spill();
    }

    void count(ClusterFigures.Figure figure) {
        figures.count(figure);
    }

    // ---- The cluster tells.

    /** An answer has come; the last word of its subject names the request. */
    void heard(String word, Message message) {
        NodeCall call = call(word);
        if (call != null) {
            call.heard(message);
        } else if (message instanceof Message.Data data && data.isQuestion()) {
            // A cancel was lost. Whoever has no such request ignores it.
            var cancel = new Message.Cancel(subjects.answers(word));
            nodes.values().forEach(node -> tell(node, cancel));
        }
    }

    /** Nobody has heard a request. */
    void unheard(String word) {
        NodeCall call = call(word);
        if (call != null) {
            call.unheard();
        }
    }

    private @Nullable NodeCall call(String word) {
        try {
            return calls.get(Long.parseLong(word));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** A node is dead: what it has is lost. */
    void lose(String node) {
        decision.forget(node);
        NodeConnection known = nodes.get(node);
        if (known != null) {
            known.lose();
        }
    }

    /** A node is not known any more. */
    void forget(String node) {
        decision.forget(node);
        NodeConnection known = nodes.remove(node);
        if (known != null) {
            known.close("the node is gone");
        }
    }

    /** Requests that a node has. */
    int busyAt(String node) {
        NodeConnection known = nodes.get(node);
        return known == null ? 0 : known.busy();
    }
}
