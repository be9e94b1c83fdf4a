package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.ConnectionProbe;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.IOStrategy;
import org.glassfish.grizzly.strategies.SameThreadIOStrategy;

import java.io.IOException;

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

    private boolean accepted;

    @Override
    public void onAcceptEvent(Connection port, Connection client) {
        accepted = true;
    }

    /** Lets in who waits at the port that this is a probe of. */
    void open(Connection port, boolean enabled) throws IOException {
        accepted = true;
        for (int i = 0; accepted && i < MOST_AT_ONCE; i++) {
            accepted = false;
            ONE.executeIoEvent(port, IOEvent.SERVER_ACCEPT, enabled);
        }
    }
}
