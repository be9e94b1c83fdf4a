package org.lrwp.webapp.container;

import org.glassfish.grizzly.Context;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.ProcessorResult;
import org.glassfish.grizzly.StandaloneProcessor;
import org.glassfish.grizzly.nio.NIOConnection;

import java.util.function.Consumer;

/** Takes the connections that the container accepts on a port of the peers. */
final class PeerAcceptor extends StandaloneProcessor {
    private final Consumer<NIOConnection> accepted;

    /**
     * Creates it.
     *
     * @param accepted gives a connection its own processor; on the connection's selector thread
     */
    PeerAcceptor(Consumer<NIOConnection> accepted) {
        this.accepted = accepted;
    }

    @Override
    public boolean isInterested(IOEvent event) {
        return true;
    }

    @Override
    public ProcessorResult process(Context context) {
        if (context.getIoEvent() == IOEvent.ACCEPTED
                && context.getConnection() instanceof NIOConnection connection) {
            RunnerLoop.guarded(() -> accepted.accept(connection));
        }
        return ProcessorResult.createComplete();
    }
}
