package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.EngineCluster;
import org.lrwp.engine.cache.ResponseCache;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.time.NanoClock;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * This proxy as a node of a cluster. It tells the others what it has, hears what they have, and
 * lets the engine use it.
 *
 * <pre>
 *   ALONE --bus up--> JOINED --bus down, or close--> ALONE
 * </pre>
 *
 * <p>Alone it works as without a cluster; what other nodes had of it is lost, and what it had of
 * them is cancelled. Threads: the bus's for all that comes, one of its own for heartbeats. No
 * thread waits, and none of the engine waits for it.
 */
public final class Cluster implements OtherNodes, AutoCloseable {
    /** What the name of another node begins with where peers are named. */
    public static final String NODE = "node:";

    private static final System.Logger LOG = System.getLogger(Cluster.class.getName());

    /** A node that has missed so many heartbeats gets no request. */
    private static final int MISSED = 3;

    /**
     * The contexts of a node are forgotten when it was not heard for so long; it too, unless it has
     * requests of this one, or this one of it: it may be stopped, and go on.
     */
    private static final Duration KEPT = Duration.ofSeconds(30);

    /**
     * For so long after the own connection has come back nobody is believed to be gone: others may
     * not have come back yet.
     */
    private static final Duration SETTLED = Duration.ofSeconds(2);

    /** An order that is not answered by then was not heard. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** More would not fit into one message. */
    private static final int MOST_CONTEXTS = 5000;

    private static final String PROBE = "probe-";

    /** Makes the bus, once there is somebody who hears what comes. */
    @FunctionalInterface
    interface Dialer {
        Bus dial(Subjects subjects, Bus.Listener listener);
    }

    /** What a node says of itself beside its contexts. */
    record Self(String version, NanoClock clock, News news) {}

    private final EngineCluster engine;
    private final Self self;
    private final Subjects subjects;
    private final OverflowDecision decision;
    private final Nodes nodes;
    private final ClusterFigures figures = new ClusterFigures();
    private final Packer packer;
    private final Away away;
    private final Guests guests;
    private final Orders orders;
    private final Bus dialled;
    private final ScheduledExecutorService timer;

    /** Sends packs that wait for more. */
    private final ScheduledExecutorService packs;

    private final @Nullable Direct direct;

    /** Null while it is not up. */
    private volatile @Nullable Bus bus;

    private volatile long session;
    private volatile String reason = "NATS has not answered yet";
    private volatile long since;
    private volatile boolean warnedOfName;
    private volatile boolean warnedOfCount;

    private Cluster(ClusterConfig config, EngineCluster engine, Self self, Dialer dialer) {
        this.engine = engine;
        this.self = self;
        long fresh = MISSED * config.heartbeat().toNanos();
        since = self.clock().nanos();
        subjects = self.news().subjects();
        decision = new OverflowDecision(fresh, bound -> ThreadLocalRandom.current().nextInt(bound));
        nodes = new Nodes(fresh, KEPT.toNanos());
        packs = thread("lrwp-cluster-packs");
        var pace = new Packer.Pace(config.packInterval().toNanos(), self.clock(), this::later);
        packer = new Packer(pace, engine::afterRound, this::unsent);
        away = new Away(config, subjects, engine, decision, packer, figures);
        guests = new Guests(engine, packer, figures, self.clock());
        timer = thread("lrwp-cluster");
        orders = new Orders(engine, subjects, timer, PATIENCE.toNanos());
        engine.join(away);
        ResponseCache cache = engine.cache();
        if (cache != null) {
            SharedCache.share(cache, self.news());
        }
        direct = open(config);
        dialled = dialer.dial(subjects, new Ears());
        long every = config.heartbeat().toNanos();
        var _ = timer.scheduleAtFixedRate(this::beat, every, every, TimeUnit.NANOSECONDS);
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    private void later(long nanos, Runnable task) {
        try {
            var _ = packs.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // This node has left the cluster, and what is under way is lost.
        }
    }

    /** Opens the way of large bodies. */
    private @Nullable Direct open(ClusterConfig config) {
        ClusterConfig.Direct wanted = config.direct();
        if (wanted == null) {
            return null;
        }
        try {
            var opened =
                    new Direct(
                            wanted,
                            subjects,
                            new Direct.Clocks(InstantSource.system(), self.clock()),
                            guests);
            guests.takeBodiesAt(new Message.Ready(opened.place(), subjects.epoch()));
            away.sendBodiesBy(opened);
            return opened;
        } catch (IOException e) {
            LOG.log(
                    Level.ERROR,
                    "cluster-port-taken address={0} port={1} reason=\"{2}: large bodies stay"
                            + " here\"",
                    wanted.address().getHostAddress(),
                    Integer.toString(wanted.port()),
                    e.getMessage());
            return null;
        }
    }

    /**
     * Joins a cluster. NATS need not be there: it is dialled in the background.
     *
     * @param config where and as whom
     * @param engine of this proxy
     * @param version of its program
     * @param news what the nodes tell each other, of the same configuration
     * @return this proxy as a node
     */
    public static Cluster join(
            ClusterConfig config, EngineCluster engine, String version, News news) {
        return join(
                config,
                engine,
                new Self(version, engine.environment().clock(), news),
                (subjects, ears) -> NatsBus.dial(config, subjects, ears));
    }

    static Cluster join(ClusterConfig config, EngineCluster engine, Self self, Dialer dialer) {
        return new Cluster(config, engine, self, dialer);
    }

    // ---- The own thread.

    /** Tells what this node has, and looks for nodes that say nothing. */
    private void beat() {
        try {
            Bus way = bus;
            if (way != null) {
                tell(way, heartbeat());
                probe(way);
                if (self.clock().nanos() - since > SETTLED.toNanos()) {
                    self.news().settle();
                }
            }
            forgetSilent();
            guests.look();
            if (direct != null) {
                direct.look();
            }
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "cluster-failed", e);
        }
    }

    private void tell(Bus way, Message.Heartbeat beat) {
        self.news()
                .count(
                        counts ->
                                way.send(
                                        subjects.heartbeats(),
                                        null,
                                        Wire.bytes(beat.with(counts))));
    }

    private Message.Heartbeat heartbeat() {
        List<Message.Load> loads = new ArrayList<>();
        for (ContextStatus one : engine.contexts()) {
            if (one.served() && loads.size() < MOST_CONTEXTS) {
                var served = new ServedContext(one.context(), one.virtualHost());
                loads.add(
                        new Message.Load(
                                one.context(),
                                one.virtualHost(),
                                one.slots(),
                                engine.free(served),
                                one.waiting()));
            }
        }
        if (loads.size() == MOST_CONTEXTS && !warnedOfCount) {
            warnedOfCount = true;
            LOG.log(Level.WARNING, "cluster-contexts-full told={0}", MOST_CONTEXTS);
        }
        return new Message.Heartbeat(
                subjects.node(),
                subjects.epoch(),
                session,
                self.version(),
                engine.isDrained(),
                loads,
                List.of());
    }

    /** Who is stopped or slow still listens: only of a node that is dead NATS says so. */
    private void probe(Bus way) {
        for (String node : nodes.silent(self.clock().nanos())) {
            way.send(subjects.alive(node), subjects.answers(PROBE + node), new byte[0]);
        }
    }

    private void forgetSilent() {
        long now = self.clock().nanos();
        boolean fewer = nodes.age(now);
        for (String node : nodes.forget(now, this::hasRequests)) {
            LOG.log(Level.INFO, "cluster-node-forgotten node={0}", node);
            away.forget(node);
            guests.forget(node);
        }
        if (fewer) {
            engine.elsewhere(nodes.contexts());
        }
    }

    /** Whether it has requests of this node, or waits perhaps for answers of it. */
    private boolean hasRequests(String node, long silentNanos) {
        return away.busyAt(node) > 0 || guests.isWaitedFor(node, silentNanos);
    }

    // ---- The bus's threads.

    /** Hears what comes. */
    private final class Ears implements Bus.Listener {
        @Override
        public void up(Bus way) {
            since = self.clock().nanos();
            session = ThreadLocalRandom.current().nextLong();
            bus = way;
            reason = "";
            packer.use(way);
            orders.use(way);
            self.news().use(way);
            timer.execute(Cluster.this::enter);
        }

        @Override
        public void down(String why) {
            bus = null;
            since = self.clock().nanos();
            reason = why;
            LOG.log(Level.WARNING, "cluster-alone node={0} reason=\"{1}\"", subjects.node(), why);
            shut();
        }

        @Override
        public void unreached(String why) {
            reason = why;
            LOG.log(
                    Level.WARNING,
                    "cluster-unreached node={0} reason=\"{1}\"",
                    subjects.node(),
                    why);
        }

        @Override
        public void message(String subject, String answers, byte[] bytes) {
            if (bytes.length == 0) {
                return; // Somebody wants to know whether anybody is here.
            }
            packer.round(() -> read(subject, answers, bytes));
        }

        private void read(String subject, String answers, byte[] bytes) {
            try {
                Message message = Wire.read(bytes);
                if (message instanceof Message.Pack pack) {
                    unpack(subject, answers, pack.messages());
                } else {
                    hear(subject, answers, message);
                }
            } catch (IllegalArgumentException e) {
                LOG.log(Level.DEBUG, "cluster-message-broken subject={0}", subject, e);
            }
        }

        private void unpack(String subject, String answers, List<ByteBuffer> messages) {
            List<String> names = Packer.names(answers.isEmpty() ? subject : answers);
            if (names.size() != messages.size()) {
                throw new IllegalArgumentException(messages.size() + " for " + names.size());
            }
            for (int i = 0; i < messages.size(); i++) {
                Message message = Wire.read(messages.get(i));
                if (answers.isEmpty()) {
                    hear(names.get(i), "", message);
                } else {
                    hear(subject, names.get(i), message);
                }
            }
        }

        @Override
        public void nobody(String answers) {
            Packer.names(answers).forEach(this::nobodyOf);
        }

        private void nobodyOf(String answers) {
            String word = Subjects.last(answers);
            if (word.startsWith(PROBE)) {
                nodeGone(word.substring(PROBE.length()));
            } else if (!orders.unheard(word)) {
                away.unheard(word);
            }
        }
    }

    /** The bus has not taken a request, or a piece of an answer. */
    private void unsent(String name) {
        if (Subjects.head(name).equals(Subjects.head(subjects.answers("")))) {
            away.unheard(Subjects.last(name));
        } else {
            guests.unsent(name);
        }
    }

    private void enter() {
        // First, so that whoever gets a request knows this session.
        beat();
        if (bus != null) {
            away.join(session);
            LOG.log(
                    Level.INFO,
                    "cluster-joined cluster={0} node={1}",
                    subjects.cluster(),
                    subjects.node());
        }
    }

    private void shut() {
        self.news().stop();
        packer.stop();
        away.stop();
        guests.stop();
        orders.stop();
    }

    private void hear(String subject, String answers, Message message) {
        switch (message) {
            case Message.Heartbeat beat -> heartbeat(beat);
            case Message.Word word -> word(word);
            case Message.Request request -> guests.request(answers, request);
            case Message.Ack ack -> guests.ack(ack);
            case Message.Cancel cancel -> guests.cancel(cancel);
            case Message.Ordered ordered -> orders.obey(answers, ordered);
            case Message.Done done -> orders.heard(Subjects.last(subject), done);
            case Message.Pack pack -> throw new IllegalArgumentException("a pack in a pack");
            default -> away.heard(Subjects.last(subject), message);
        }
    }

    private void word(Message.Word word) {
        if (!word.node().equals(subjects.node())) {
            self.news().heard(word);
        }
    }

    private void heartbeat(Message.Heartbeat beat) {
        if (beat.node().equals(subjects.node())) {
            if (beat.epoch() != subjects.epoch() && !warnedOfName) {
                warnedOfName = true;
                LOG.log(
                        Level.ERROR,
                        "cluster-name-twice node={0} reason=\"another node has the same name: set"
                                + " cluster.node\"",
                        beat.node());
            }
            return;
        }
        self.news().heard(beat);
        long now = self.clock().nanos();
        Nodes.Change change = nodes.heard(beat, now);
        if (change == Nodes.Change.RESTARTED) {
            LOG.log(Level.INFO, "cluster-node-restarted node={0}", beat.node());
            away.lose(beat.node());
            guests.forgetBefore(beat.node(), beat.session());
        }
        decision.heard(beat, now);
        if (change != Nodes.Change.NOTHING) {
            engine.elsewhere(nodes.contexts());
        }
        if (beat.contexts().stream().anyMatch(one -> one.free() > 0)) {
            engine.spill();
        }
    }

    /** NATS says that nobody listens in the place of a node. */
    private void nodeGone(String node) {
        long now = self.clock().nanos();
        if (bus != null && now - since > SETTLED.toNanos() && nodes.gone(node, now)) {
            LOG.log(Level.WARNING, "cluster-node-gone node={0}", node);
            away.lose(node);
            guests.forget(node);
        }
    }

    // ---- Operators.

    @Override
    public String self() {
        return subjects.node();
    }

    @Override
    public List<String> names() {
        return nodes.status(self.clock().nanos(), away::busyAt).stream()
                .filter(node -> node.state() != ClusterStatus.State.GONE)
                .map(ClusterStatus.Node::name)
                .toList();
    }

    @Override
    public CompletableFuture<Integer> order(String node, Order order) {
        return orders.send(node, order);
    }

    // ---- Views.

    /** The way of large bodies; null for none. */
    @Nullable Direct bodies() {
        return direct;
    }

    /** Where others bring large bodies; empty for nowhere. */
    String place() {
        return direct == null ? "" : direct.place();
    }

    /**
     * Returns a picture for status pages.
     *
     * @return the cluster as this node sees it
     */
    public ClusterStatus status() {
        long now = self.clock().nanos();
        List<ClusterStatus.Node> all = new ArrayList<>();
        all.add(Nodes.picture(heartbeat(), ClusterStatus.State.SELF, 0, 0));
        all.addAll(nodes.status(now, away::busyAt));
        return new ClusterStatus(
                true,
                subjects.cluster(),
                subjects.node(),
                bus != null,
                reason,
                (now - since) / 1_000_000,
                all,
                figures.all());
    }

    /** Leaves the cluster: what is under way with other nodes is lost. Idempotent. */
    @Override
    public void close() {
        engine.join(null);
        bus = null;
        dialled.close();
        shut();
        if (direct != null) {
            direct.close();
        }
        timer.shutdownNow();
        packs.shutdownNow();
        engine.elsewhere(Set.of());
    }
}
