package org.lrwp.sdk;

import java.lang.System.Logger.Level;

/** Hands events to the listener and survives what it throws. */
final class EventReport {
    private static final System.Logger LOG = System.getLogger("org.lrwp.sdk");

    private final PeerListener listener;

    EventReport(PeerListener listener) {
        this.listener = listener;
    }

    void accept(PeerEvent event) {
        try {
            listener.onEvent(event);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "listener-failed event=" + event.getClass().getSimpleName(), e);
        }
    }
}
