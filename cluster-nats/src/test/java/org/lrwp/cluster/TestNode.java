package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.EngineConfig;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.agent.AgentConfig;
import org.lrwp.engine.agent.PeerLimits;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.context.ContextConfig;
import org.lrwp.engine.context.ContextConfigs;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.context.HealthConfig;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeConfig;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.LeastRate;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.peer.LocalPeer;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Handover;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.engine.transport.SelectorTransport;
import org.lrwp.protocol.frame.ProxySettings;
import org.lrwp.protocol.network.Network;
import org.lrwp.sdk.PeerExchange;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** An engine as a node, with a peer whose requests the test answers. */
final class TestNode implements AutoCloseable {
    static final String CONTEXT = "/osp";
    static final int MOST_BODY = 1000;

    private static final long PATIENCE_SECONDS = 20;
    private static final Duration HEARTBEAT = Duration.ofMillis(50);
    private static final Duration QUEUE_TIME = Duration.ofSeconds(10);
    private static final AtomicInteger IDS = new AtomicInteger();

    private final AtomicLong passed = new AtomicLong();
    private final ProxyEngine engine;
    private final Cluster cluster;
    private final News.Topic topic;
    private final List<String> news = new CopyOnWriteArrayList<>();
    private final List<ExchangeRecord> records = new CopyOnWriteArrayList<>();
    private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
    private final BlockingQueue<PeerExchange> requests = new LinkedBlockingQueue<>();

    TestNode(MemoryHub hub, String name) throws Exception {
        this(hub, name, null);
    }

    /** One that takes large bodies too, where there is a secret. */
    TestNode(MemoryHub hub, String name, byte @Nullable [] secret) throws Exception {
        engine = ProxyEngine.start(config(), records::add, audited::add, new SelectorTransport(1));
        var node =
                new ClusterConfig(
                        List.of(URI.create("nats://127.0.0.1:1")),
                        "test",
                        name,
                        ClusterConfig.Access.OPEN,
                        HEARTBEAT,
                        Duration.ofMillis(1),
                        100,
                        MOST_BODY,
                        secret == null
                                ? null
                                : new ClusterConfig.Direct(
                                        InetAddress.getLoopbackAddress(), 0, secret));
        News news = News.of(node);
        topic = news.open("test", new Heard());
        cluster =
                Cluster.join(
                        node,
                        engine.cluster(),
                        new Cluster.Self("1", () -> System.nanoTime() + passed.get(), news),
                        hub::dial);
    }

    /** Writes down what other nodes tell. */
    private final class Heard implements News.Listener {
        @Override
        public void heard(News.Origin origin, long number, byte[] word) {
            news.add(origin.node() + ":" + new String(word, StandardCharsets.ISO_8859_1));
        }

        @Override
        public void missed(News.Origin origin, long last) {
            news.add(origin.node() + " missed");
        }

        @Override
        public void found(News.Origin origin, long last) {
            // Which of the two it is depends on who comes first.
        }

        @Override
        public void restarted(String node) {
            news.add(node + " restarted");
        }
    }

    /** Tells the other nodes something. */
    void tell(String word) {
        long _ = topic.tell(word.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** What it has heard of the others. */
    List<String> news() {
        return news;
    }

    private static EngineConfig config() {
        var agent =
                new AgentConfig(
                        InetAddress.getLoopbackAddress(),
                        0,
                        Network.LOOPBACK,
                        Duration.ofSeconds(5),
                        Duration.ZERO,
                        new PeerLimits(100, 100, 256, 10, 50, 10_000, 0),
                        AccessPolicy.OPEN,
                        new Lrwp3Config(
                                ProxySettings.DEFAULT, false, Duration.ofSeconds(5), 100, 5));
        var exchange =
                new ExchangeConfig(
                        QUEUE_TIME,
                        5_000_000,
                        Duration.ofSeconds(30),
                        new LeastRate(2, Duration.ofSeconds(100)),
                        64 * 1024,
                        Duration.ofMillis(10));
        var peer =
                new PeerConfig(
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(10),
                        true,
                        64 * 1024,
                        Duration.ofMinutes(1));
        var spool =
                new SpoolConfig(
                        Path.of(System.getProperty("java.io.tmpdir")),
                        4_000_000,
                        10_000_000,
                        10_000_000,
                        1_000_000);
        var context =
                new ContextConfig(
                        exchange, peer, 10, Duration.ofSeconds(5), HealthConfig.OFF, false);
        return new EngineConfig(agent, new ContextConfigs(context, Map.of()), spool, 100, 2, 1);
    }

    // ---- The peer.

    /** A peer with so many slots. */
    TestNode serving(int slots) {
        engine.serve(
                new LocalPeer(
                        "held",
                        List.of(new ServedContext(CONTEXT, "")),
                        slots,
                        requests::add,
                        false,
                        () -> {}));
        return this;
    }

    /** The next request of the peer. */
    PeerExchange request() throws InterruptedException {
        PeerExchange next = requests.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no request came");
        }
        return next;
    }

    /** Requests that have come and were not taken. */
    int untaken() {
        return requests.size();
    }

    // ---- Clients.

    /** Whether the context is known here. */
    boolean knows() {
        return engine.match("", CONTEXT) != null;
    }

    /** A request with a body. */
    Asked ask(String method, byte[] body) {
        ContextMatch match = engine.match("", CONTEXT + "/x");
        if (match == null) {
            throw new AssertionError("the context is not known");
        }
        String id = "r" + IDS.incrementAndGet();
        var asked = new Asked();
        Exchange opened =
                engine.open(
                        match,
                        new ExchangeRequest(
                                id,
                                method,
                                CONTEXT + "/x",
                                "192.0.2.1",
                                (block, length, upgrade) -> {
                                    block.begin(10_000);
                                    block.add("REQUEST_METHOD", method);
                                    block.add("REQUEST_ID", id);
                                    block.add("CONTENT_LENGTH", "" + Math.max(0, length));
                                    return block.finish(Math.max(0, length));
                                }),
                        asked);
        asked.exchange.complete(opened);
        opened.body().receiveWhole(ByteBuffer.wrap(body), Handover.COPIED);
        return asked;
    }

    /** A request without one. */
    Asked ask(String method) {
        return ask(method, new byte[0]);
    }

    /** A client that reads what comes. */
    static final class Asked implements Client {
        private final CompletableFuture<Exchange> exchange = new CompletableFuture<>();
        private final CompletableFuture<String> result = new CompletableFuture<>();
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private final AtomicInteger answers = new AtomicInteger();
        private volatile @Nullable AnswerHead head;

        @Override
        public void answer(AnswerHead first, Spool body) {
            answers.incrementAndGet();
            head = first;
            body.onReady(() -> pull(body));
            pull(body);
        }

        private synchronized void pull(Spool body) {
            for (ByteBuffer next = body.poll(); next != null; next = body.poll()) {
                byte[] bytes = new byte[next.remaining()];
                next.get(bytes);
                read.writeBytes(bytes);
            }
            if (body.ending() == BodyEnding.COMPLETE) {
                if (result.complete(head().status() + " " + text())) {
                    exchange.join().delivered();
                }
            } else if (body.ending() == BodyEnding.BROKEN && result.complete("cut")) {
                exchange.join().clientGone(Failure.CLIENT_GONE);
            }
        }

        @Override
        public void fail(Failure failure) {
            answers.incrementAndGet();
            result.complete(failure.status() + " " + failure.word());
        }

        AnswerHead head() {
            AnswerHead known = head;
            if (known == null) {
                throw new AssertionError("no answer has begun");
            }
            return known;
        }

        boolean hasBegun() {
            return head != null;
        }

        boolean isOver() {
            return result.isDone();
        }

        private String text() {
            return read.toString(StandardCharsets.ISO_8859_1);
        }

        /** Leaves. */
        void leave() {
            exchange.join().clientGone(Failure.CLIENT_GONE);
        }

        /** Status and body, or status and reason word. */
        String answer() {
            String got = result.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
            if (answers.get() != 1) {
                throw new AssertionError(answers + " answers");
            }
            return got;
        }
    }

    // ---- The node.

    /** Lets its time pass. */
    void pass(Duration time) {
        passed.addAndGet(time.toNanos());
    }

    /** Where it takes large bodies. */
    String place() {
        return cluster.place();
    }

    /** Requests on the port of large bodies whose time is limited. */
    int bodyRequests() {
        return direct().limited();
    }

    /** Bodies that are being taken there. */
    int bodies() {
        return direct().taking();
    }

    private Direct direct() {
        Direct known = cluster.bodies();
        if (known == null) {
            throw new AssertionError("it takes no large bodies");
        }
        return known;
    }

    /** Has another node do something; what it says of it. */
    int order(String node, Order.Kind kind, String subject) {
        return cluster.order(node, new Order(kind, subject, "erika"))
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** The nodes that can be told something. */
    List<String> others() {
        return cluster.names();
    }

    /** What was done here, by whom. */
    List<AuditEvent> audited() {
        return audited;
    }

    ProxyEngine engine() {
        return engine;
    }

    ClusterStatus status() {
        return cluster.status();
    }

    long figure(String name) {
        return cluster.status().figures().getOrDefault(name, -1L);
    }

    List<ExchangeRecord> records() {
        return records;
    }

    /** What this node says of another one; null when it does not know it. */
    ClusterStatus.@Nullable Node node(String name) {
        return cluster.status().nodes().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Waits until another node is heard with so many free slots. */
    TestNode hears(String name, int free) {
        await(
                name + " with " + free,
                () -> {
                    ClusterStatus.Node node = node(name);
                    return node != null
                            && node.state() == ClusterStatus.State.LIVE
                            && node.free() == free
                            && (free == 0 || knows());
                });
        return this;
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not in time: " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    @Override
    public void close() {
        cluster.close();
        engine.close();
    }
}
