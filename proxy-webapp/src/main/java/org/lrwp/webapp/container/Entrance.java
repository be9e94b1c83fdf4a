package org.lrwp.webapp.container;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.ConnectionProbe;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.IOStrategy;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.strategies.SameThreadIOStrategy;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * A port of the container. Grizzly lets in one client for each round of the selector, which is long
 * when many others are served in it: two hundred newcomers waited a second for their first answer.
 * Here all that wait are let in. On the port's selector thread.
 */
@SuppressWarnings("rawtypes") // As the container's interfaces have them.
final class Entrance extends ConnectionProbe.Adapter {
    /** In one round, so that it ends. */
    static final int MOST_AT_ONCE = 64;

    private static final IOStrategy ONE = SameThreadIOStrategy.getInstance();

    private final Consumer<NIOConnection> letIn;
    private boolean accepted = true;

    private Entrance(Consumer<NIOConnection> letIn) {
        this.letIn = letIn;
    }

    @Override
    public void onAcceptEvent(Connection port, Connection client) {
        accepted = true;
        if (client instanceof NIOConnection newcomer) {
            letIn.accept(newcomer);
        }
    }

    /**
     * Lets in whoever waits at a port; nothing of it stays there.
     *
     * @param port of clients or peers
     * @param enabled whether the port is selected
     * @param letIn told of each connection before its first event
     */
    static void open(Connection<?> port, boolean enabled, Consumer<NIOConnection> letIn)
            throws IOException {
        var entrance = new Entrance(letIn);
        port.getMonitoringConfig().addProbes(entrance);
        try {
            entrance.acceptAll(port, enabled);
        } finally {
            port.getMonitoringConfig().removeProbes(entrance);
        }
    }

    private void acceptAll(Connection port, boolean enabled) throws IOException {
        for (int i = 0; accepted && i < MOST_AT_ONCE; i++) {
            accepted = false;
            ONE.executeIoEvent(port, IOEvent.SERVER_ACCEPT, enabled);
        }
    }
}
