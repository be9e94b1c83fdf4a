package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeEnvironment;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.WorkSource;
import org.lrwp.engine.peer.serial.Lrwp1Connection;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.engine.spool.SpoolStore;
import org.lrwp.engine.testkit.FakeLink;
import org.lrwp.engine.testkit.PeerFixture;
import org.lrwp.engine.testkit.SerialLoop;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.protocol.FilterSkipper;

import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A context, two peers with loops of their own, and requests; any thread may do anything. */
final class HandOffScenario {
    private static final NanoClock CLOCK = () -> 0;
    private static final Deadlines NEVER = (delay, task) -> () -> {};
    private static final SpoolConfig SPOOLS = new SpoolConfig(Path.of("."), 9999, 9999, 0, 9999);

    private final HandOff handOff;
    private final Peer[] peers;
    private final Queue<Exchange> asked = new ConcurrentLinkedQueue<>();
    private final AtomicInteger ids = new AtomicInteger();
    private final ExchangeEnvironment environment =
            new ExchangeEnvironment(CLOCK, NEVER, new SpoolStore(SPOOLS), (exchange, record) -> {});

    /** What is tried. */
    interface HandOff extends WorkSource {
        void register(Lrwp1Connection connection);

        Dispatcher context();

        int waiting();
    }

    HandOffScenario(HandOff handOff) {
        this.handOff = handOff;
        peers = new Peer[] {new Peer(0, handOff), new Peer(1, handOff)};
        peers[0].join();
    }

    void ask() {
        String id = "r" + ids.incrementAndGet();
        var request =
                new ExchangeRequest(
                        id,
                        "POST",
                        "/osp",
                        "",
                        (block, length, upgrade) -> TestEngine.frameHead(id, length));
        var exchange =
                new Exchange(
                        request,
                        TestEngine.exchangeConfig(),
                        environment,
                        handOff.context(),
                        new Nobody());
        asked.add(exchange);
        exchange.body().whole();
    }

    void answer(int peer) {
        peers[peer].answer();
    }

    void join() {
        peers[1].join();
    }

    void leave() {
        peers[0].leave();
    }

    /** Throws when a request waits beside a free slot, was lost, or was given twice. */
    void look() {
        int free = peers[0].connection.free() + peers[1].connection.free();
        int waiting = handOff.waiting();
        if (waiting > 0 && free > 0) {
            throw new IllegalStateException("a slot idles while " + waiting + " wait");
        }
        int queued = 0;
        for (Exchange exchange : asked) {
            queued += exchange.state() == ExchangeState.QUEUED ? 1 : 0;
            String mark = "ID=" + exchange.request().id() + "\0";
            int given = peers[0].given(mark) + peers[1].given(mark);
            if (given > 1) {
                throw new IllegalStateException(mark + " was given " + given + " times");
            }
        }
        if (queued != waiting) {
            throw new IllegalStateException(queued + " are queued, " + waiting + " wait");
        }
    }

    /** A peer and its loop. */
    private static final class Peer {
        private final SerialLoop loop = new SerialLoop();
        private final HandOff handOff;
        private final FakeLink link;
        private final Lrwp1Connection connection;
        private final StringBuilder received = new StringBuilder();

        Peer(int number, HandOff handOff) {
            this.handOff = handOff;
            link = new FakeLink("127.0.0.1", 40_000 + number, loop);
            connection =
                    new Lrwp1Connection(
                            link,
                            PeerFixture.registration(),
                            TestEngine.peerConfig(),
                            new PeerEnvironment(
                                    CLOCK, NEVER, handOff, context -> TestEngine.peerConfig()),
                            new FilterSkipper(),
                            "anonymous");
            link.events(connection);
        }

        void join() {
            loop.execute(
                    () -> {
                        handOff.register(connection);
                        connection.settle(0);
                    });
        }

        void answer() {
            loop.execute(
                    () -> {
                        String request = link.received();
                        received.append(request);
                        if (!request.isEmpty() && !link.isClosed()) {
                            link.arrives("000000004\n\nok");
                        }
                    });
        }

        void leave() {
            loop.execute(link::ends);
        }

        int given(String mark) {
            received.append(link.received());
            int count = 0;
            for (int at = received.indexOf(mark); at >= 0; at = received.indexOf(mark, at + 1)) {
                count++;
            }
            return count;
        }
    }

    /** The engine's hand-off. */
    static final class EngineHandOff implements HandOff {
        private final ContextAssistantManager manager =
                new ContextAssistantManager(
                        new ContextConfigs(TestEngine.contextConfig(false), Map.of()),
                        CLOCK,
                        NEVER);

        @Override
        public void register(Lrwp1Connection connection) {
            manager.admit(connection);
            manager.register(connection, ServedContext.of(PeerFixture.registration()), "test");
        }

        @Override
        public Dispatcher context() {
            return assistant();
        }

        private ContextAssistant assistant() {
            ContextMatch match = manager.match("", "/osp");
            if (match == null) {
                throw new IllegalStateException("no context");
            }
            return match.assistant();
        }

        @Override
        public int waiting() {
            return assistant().waiting();
        }

        @Override
        public void slotFree(PeerConnection connection) {
            manager.slotFree(connection);
        }

        @Override
        public void leaving(PeerConnection connection) {
            manager.leaving(connection);
        }

        @Override
        public void gone(PeerConnection connection) {
            manager.gone(connection);
        }
    }

    /** The fault: nobody looks for a slot once a request is in the queue. */
    static final class CarelessHandOff implements HandOff, Dispatcher {
        private final Connections connections =
                new Connections(
                        new PeerHealth(
                                "/osp",
                                HealthConfig.OFF,
                                NanoClock.SYSTEM,
                                (delay, task) -> () -> {},
                                () -> {}));
        private final WaitingQueue queue = new WaitingQueue(9, connections::fits);

        @Override
        public void register(Lrwp1Connection connection) {
            connections.add(connection);
        }

        @Override
        public Dispatcher context() {
            return this;
        }

        @Override
        public int waiting() {
            return queue.size();
        }

        @Override
        public void tried(Object instance, boolean good) {}

        @Override
        public void submit(Exchange exchange) {
            PeerSlot slot = connections.claim();
            if (slot == null) {
                queue.offer(exchange);
            } else {
                slot.send(exchange);
            }
        }

        @Override
        public void slotFree(PeerConnection connection) {
            PeerSlot slot = connection.claim();
            Exchange next = slot == null ? null : queue.poll(connection);
            if (next != null && slot != null) {
                slot.send(next);
            } else if (slot != null) {
                slot.release();
            }
        }

        @Override
        public void leaving(PeerConnection connection) {
            connections.remove(connection);
        }

        @Override
        public void gone(PeerConnection connection) {
            connections.remove(connection);
        }

        @Override
        public String contextName() {
            return "/osp";
        }

        @Override
        public void offer(Exchange exchange) {
            // No peer here wants bodies as they come.
        }

        @Override
        public void resubmit(Exchange exchange) {
            queue.offerAgain(exchange);
        }

        @Override
        public void withdraw(Exchange exchange) {
            queue.remove(exchange);
        }

        @Override
        public void ended(ExchangeRecord exchange) {
            // Nobody counts here.
        }
    }

    /** A client that takes whatever comes. */
    private static final class Nobody implements Client {
        private volatile @Nullable Object answer;

        @Override
        public void answer(AnswerHead head, Spool body) {
            take(head);
        }

        @Override
        public void fail(Failure failure) {
            take(failure);
        }

        private void take(Object what) {
            if (answer != null) {
                throw new IllegalStateException("a second answer");
            }
            answer = what;
        }
    }
}
