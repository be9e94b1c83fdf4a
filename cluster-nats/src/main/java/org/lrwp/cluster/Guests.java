package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.EngineCluster;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.spool.Handover;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The requests of other nodes that this one has. Thread-safe; never blocks. */
final class Guests {
    private final EngineCluster engine;
    private final ClusterFigures figures;
    private final NanoClock clock;
    private final Map<String, GuestClient> clients = new ConcurrentHashMap<>();
    private final Packer packer;
    private volatile Message.@Nullable Ready ready;

    Guests(EngineCluster engine, Packer packer, ClusterFigures figures, NanoClock clock) {
        this.clock = clock;
        this.packer = packer;
        this.engine = engine;
        this.figures = figures;
    }

    /** Large bodies may come, to a place that their senders are told. */
    void takeBodiesAt(Message.Ready place) {
        ready = place;
    }

    /** Nobody waits for the answers any more. */
    void stop() {
        clients.values().forEach(GuestClient::cancel);
    }

    // ---- From the bus.

    /**
     * A request has come.
     *
     * @param answers where its answer goes; names it
     */
    void request(String answers, Message.Request request) {
        var client = new GuestClient(this, answers, request);
        if (answers.isEmpty() || clients.putIfAbsent(answers, client) != null) {
            return; // It is here already: it is not done twice.
        }
        Exchange exchange =
                engine.open(
                        request.served(),
                        new ExchangeRequest(
                                request.id(),
                                request.method(),
                                request.target(),
                                request.client(),
                                new Block(request.environment())),
                        client,
                        this::ended);
        if (exchange == null) {
            refuse(answers);
            clients.remove(answers);
            return;
        }
        client.opened(exchange);
        if (request.length() < 0) {
            exchange.body().receiveWhole(request.body(), Handover.ofUnused(request.body()));
        } else {
            await(request, exchange, client);
        }
    }

    /** Its body comes by HTTP, if there seems to be a slot for it. */
    private void await(Message.Request request, Exchange exchange, GuestClient client) {
        Message.Ready place = ready;
        if (place == null || engine.free(request.served()) == 0) {
            exchange.fail(Failure.QUEUE_FULL);
            return;
        }
        var body = new Awaited(request, exchange, client);
        exchange.body().expect(request.length());
        exchange.body().pending();
        client.expect(body, place);
    }

    /** A request whose body comes by HTTP. It is given out once. */
    static final class Awaited {
        private static final int PIECE = 64 * 1024;

        private final Message.Request request;
        private final Exchange exchange;
        private final GuestClient client;
        private final Semaphore room = new Semaphore(0);

        /** Ends the wait for the body, while somebody waits for it; null before that. */
        private final AtomicReference<@Nullable Runnable> stop = new AtomicReference<>();

        Awaited(Message.Request request, Exchange exchange, GuestClient client) {
            this.request = request;
            this.exchange = exchange;
            this.client = client;
            exchange.body().onRoom(room::release);
        }

        /** The calling thread is to take the body, unless another has begun. */
        boolean begin() {
            return stop.compareAndSet(null, Thread.currentThread()::interrupt);
        }

        /** Nobody waits any more, and nobody is interrupted. */
        private static void done() {}

        /** The exchange is over: whoever waits for the rest of the body is interrupted. */
        void ended() {
            Runnable wait = stop.getAndSet(Awaited::done);
            if (wait != null) {
                wait.run();
            }
        }

        /**
         * Takes the body; blocks.
         *
         * @return false when it is not what was announced, or nobody wants it any more
         */
        boolean receive(InputStream in) throws IOException, InterruptedException {
            byte[] piece = new byte[PIECE];
            long left = request.length();
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                left -= count;
                if (left < 0 || !exchange.body().receive(ByteBuffer.wrap(piece, 0, count))) {
                    giveUp();
                    return false;
                }
                awaitRoom();
            }
            if (left > 0) {
                giveUp();
                return false;
            }
            stop.set(Awaited::done);
            exchange.body().whole();
            return true;
        }

        /** The exchange ends by itself when that takes too long, and has room then. */
        private void awaitRoom() throws InterruptedException {
            room.drainPermits();
            while (!exchange.body().hasRoom()) {
                boolean _ = room.tryAcquire(1, TimeUnit.SECONDS);
            }
        }

        /** The rest will not come. */
        void giveUp() {
            stop.set(Awaited::done);
            client.cancel();
        }
    }

    /**
     * Gives out a request for whose body a ticket is shown, once.
     *
     * @return null when none waits for it
     */
    @Nullable Awaited take(Ticket ticket) {
        GuestClient client = clients.get(ticket.answers());
        Awaited guest = client == null ? null : client.awaited();
        if (guest == null) {
            return null;
        }
        boolean fits =
                guest.request.node().equals(ticket.node())
                        && guest.request.length() == ticket.length();
        return fits && guest.begin() ? guest : null;
    }

    /** The env block as the other node has made it, with its last NUL, which is added again. */
    private record Block(ByteBuffer made) implements ExchangeRequest.EnvBlock {
        @Override
        public ByteBuffer encode(EnvBlockWriter block, long bodyLength, String upgrade)
                throws MalformedFrameException {
            int from = made.arrayOffset();
            block.begin(Math.max(1, made.limit()));
            block.append(made.array(), from, from + Math.max(0, made.limit() - 1));
            return block.finish(Math.max(0, bodyLength));
        }

        /** The other node has looked at its length. */
        @Override
        public boolean fits() {
            return true;
        }
    }

    void ack(Message.Ack ack) {
        GuestClient client = clients.get(ack.answers());
        if (client != null) {
            client.ack(ack.count());
        }
    }

    void cancel(Message.Cancel cancel) {
        unsent(cancel.answers());
    }

    /** Nobody waits for an answer any more, or hears it. */
    void unsent(String answers) {
        GuestClient client = clients.get(answers);
        if (client != null) {
            client.cancel();
        }
    }

    // ---- From its clients.

    /** No peer gets the request. */
    void refuse(String answers) {
        figures.count(ClusterFigures.Figure.REFUSED);
        send(answers, new Message.Busy(0));
    }

    long now() {
        return clock.nanos();
    }

    /** How long a node waits at most for a word of a request. */
    long responseNanos(ServedContext context) {
        return engine.environment().limits().of(context.context()).responseTime().toNanos();
    }

    int free(ServedContext context) {
        return engine.free(context);
    }

    boolean send(String answers, Message message) {
        return packer.send(answers, message);
    }

    void ended(String answers, GuestClient client) {
        clients.remove(answers, client);
    }

    private void ended(ExchangeRecord record) {
        if (!record.peer().isEmpty()) {
            figures.count(ClusterFigures.Figure.TAKEN);
        }
    }

    // ---- From the cluster.

    /** Looks after answers of which nobody has said for long that more is welcome. */
    void look() {
        long now = now();
        clients.values().forEach(client -> client.look(now));
    }

    /** Whether a node that says nothing may still wait for something, when it goes on. */
    boolean isWaitedFor(String node, long silentNanos) {
        return clients.values().stream()
                .anyMatch(client -> client.isOf(node) && client.responseNanos() > silentNanos);
    }

    /** A node is dead: nobody waits for what it has sent. */
    void forget(String node) {
        clients.values().stream().filter(client -> client.isOf(node)).forEach(GuestClient::cancel);
    }

    /** A node has another session: nobody waits for what it has sent before. */
    void forgetBefore(String node, long session) {
        clients.values().stream()
                .filter(client -> client.isOf(node) && !client.isOf(session))
                .forEach(GuestClient::cancel);
    }
}
