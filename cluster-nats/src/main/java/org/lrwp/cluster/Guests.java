package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.EngineCluster;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.spool.Handover;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The requests of other nodes that this one has. Thread-safe; never blocks. */
final class Guests {
    private final EngineCluster engine;
    private final ClusterFigures figures;
    private final Map<String, GuestClient> clients = new ConcurrentHashMap<>();
    private volatile @Nullable Bus bus;

    Guests(EngineCluster engine, ClusterFigures figures) {
        this.engine = engine;
        this.figures = figures;
    }

    /** Requests of others are taken from now on. */
    void use(Bus way) {
        bus = way;
    }

    /** They are not any more, and nobody waits for the answers. */
    void stop() {
        bus = null;
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
                                block(request.environment())),
                        client,
                        this::ended);
        if (exchange == null) {
            refuse(answers);
            clients.remove(answers);
            return;
        }
        client.opened(exchange);
        exchange.body().receiveWhole(ByteBuffer.wrap(request.body()), Handover.COPIED);
    }

    /** The env block as the other node has made it, with its last NUL, which is added again. */
    private static ExchangeRequest.EnvBlock block(byte[] environment) {
        return (block, bodyLength, upgrade) -> encode(block, environment, bodyLength);
    }

    private static ByteBuffer encode(EnvBlockWriter block, byte[] environment, long bodyLength)
            throws MalformedFrameException {
        block.begin(Math.max(1, environment.length));
        block.addEncoded(Arrays.copyOf(environment, Math.max(0, environment.length - 1)));
        return block.finish(Math.max(0, bodyLength));
    }

    void ack(Message.Ack ack) {
        GuestClient client = clients.get(ack.answers());
        if (client != null) {
            client.ack(ack.count());
        }
    }

    void cancel(Message.Cancel cancel) {
        GuestClient client = clients.get(cancel.answers());
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

    int free(ServedContext context) {
        return engine.free(context);
    }

    boolean send(String answers, Message message) {
        Bus way = bus;
        return way != null && way.send(answers, null, Wire.bytes(message));
    }

    void ended(String answers) {
        clients.remove(answers);
    }

    private void ended(ExchangeRecord record) {
        if (!record.peer().isEmpty()) {
            figures.count(ClusterFigures.Figure.TAKEN);
        }
    }

    // ---- From the cluster.

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
