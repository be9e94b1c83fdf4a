package org.lrwp.webapp.container;

import org.lrwp.engine.transport.SelectorTransport;
import org.lrwp.engine.transport.Transport;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;

/** Chooses where peers' connections get their events. */
public final class PeerTransports {
    private static final System.Logger LOG = System.getLogger(PeerTransports.class.getName());

    private PeerTransports() {}

    /**
     * Opens the container's transport if it can be reached, else own selectors; then the log and
     * the status page say why.
     *
     * @param threads how many own selector threads, if it has to be these
     * @param readers may read the container's clients before it does
     * @return an open transport; whoever asked for it closes it
     * @throws IOException when not even own selectors can be had
     */
    public static Transport open(int threads, ClientReaders readers) throws IOException {
        String reason;
        try {
            List<ContainerListener> running = ContainerListener.all();
            if (!running.isEmpty()) {
                return new ContainerTransport(running, ContainerListener::all, readers);
            }
            reason = "no HTTP listener runs";
        } catch (RuntimeException | LinkageError e) {
            LOG.log(Level.DEBUG, "container-not-reachable", e);
            reason = e.toString();
        }
        LOG.log(Level.INFO, "own-selectors reason=\"{0}\"", reason);
        return new SelectorTransport(threads, reason);
    }
}
