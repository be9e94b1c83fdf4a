package org.lrwp.webapp.container;

import org.glassfish.grizzly.nio.transport.TCPNIOTransport;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The container's listeners beside the one that peers share, such as those with TLS: their clients
 * are read as its clients are. One thread at a time.
 */
final class FurtherListeners {
    private final ClientReaders readers;
    private final OrphanTasks orphans;
    private final Map<TCPNIOTransport, Attachment> attached = new HashMap<>();

    /**
     * Creates it without listeners.
     *
     * @param readers reads their clients
     * @param orphans runs what is left of loops that the container has ended
     */
    FurtherListeners(ClientReaders readers, OrphanTasks orphans) {
        this.readers = readers;
        this.orphans = orphans;
    }

    /**
     * Attaches itself to those that have come, and forgets those that have gone.
     *
     * @param running all that run now
     * @param shared the transport that peers share
     */
    void look(List<ContainerListener> running, TCPNIOTransport shared) {
        Map<TCPNIOTransport, ContainerListener> now =
                running.stream()
                        .filter(one -> !one.transport().equals(shared))
                        .collect(Collectors.toMap(ContainerListener::transport, one -> one));
        attached.values().removeIf(one -> !one.isRunning());
        now.forEach(
                (transport, listener) ->
                        attached.computeIfAbsent(
                                transport,
                                _ -> new Attachment(listener, readers, orphans, () -> {})));
    }

    /** Lets go of a listener that peers are about to share. */
    void giveUp(TCPNIOTransport transport) {
        Attachment known = attached.remove(transport);
        if (known != null) {
            known.release();
        }
    }

    /** Gives all of them back as they were. */
    void release() {
        attached.values().forEach(Attachment::release);
        attached.clear();
    }
}
