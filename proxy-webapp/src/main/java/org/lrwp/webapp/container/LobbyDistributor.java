package org.lrwp.webapp.container;

import org.glassfish.grizzly.CompletionHandler;
import org.glassfish.grizzly.nio.AbstractNIOConnectionDistributor;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.nio.RegisterChannelResult;
import org.glassfish.grizzly.nio.SelectorRunner;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Says which selector thread a connection is for. The first one is the lobby: it has the ports of
 * peers, and whoever has not registered there. The others have clients, their ports, and peers that
 * have registered, in turn: so they are not kept by strangers, however many dial in. Thread-safe.
 */
final class LobbyDistributor extends AbstractNIOConnectionDistributor {
    /** Selector threads that are no client's. */
    static final int THREADS = 1;

    private final AtomicInteger next = new AtomicInteger();

    /**
     * Creates it.
     *
     * @param transport has one selector thread more than clients and peers need
     */
    LobbyDistributor(TCPNIOTransport transport) {
        super(transport);
    }

    /** The thread that is next to get a client, or a peer that has registered. */
    SelectorRunner next() {
        SelectorRunner[] all = getTransportSelectorRunners();
        return all[THREADS + Math.floorMod(next.getAndIncrement(), all.length - THREADS)];
    }

    private SelectorRunner place(Object connection) {
        boolean stranger =
                connection instanceof NIOConnection one
                        && one.getProcessor() instanceof PeerAcceptor;
        return stranger ? getTransportSelectorRunners()[0] : next();
    }

    @Override
    public void registerChannel(SelectableChannel channel, int events, Object connection)
            throws IOException {
        transport
                .getSelectorHandler()
                .registerChannel(place(connection), channel, events, connection);
    }

    @Override
    public void registerChannelAsync(
            SelectableChannel channel,
            int events,
            Object connection,
            CompletionHandler<RegisterChannelResult> told) {
        transport
                .getSelectorHandler()
                .registerChannelAsync(place(connection), channel, events, connection, told);
    }

    @Override
    public void registerServiceChannelAsync(
            SelectableChannel channel,
            int events,
            Object port,
            CompletionHandler<RegisterChannelResult> told) {
        registerChannelAsync(channel, events, port, told);
    }
}
