package org.lrwp.sdk;

/** Hears what happens to a peer's connections. */
@FunctionalInterface
public interface PeerListener {
    /**
     * Takes one event. Called on the connection's own thread, several at once for several
     * connections; must not block for long and must not call {@link LrwpPeer#close()}. What it
     * throws is logged and otherwise ignored.
     *
     * @param event what happened
     */
    void onEvent(PeerEvent event);

    /**
     * Returns a listener that writes one log line for each registration, loss, refusal, handler
     * failure and end; a proxy that stays away is logged once. It is what a peer without a listener
     * has.
     *
     * @return a new listener; writes to the {@link System.Logger} named {@code org.lrwp.sdk}
     */
    static PeerListener logging() {
        return new LoggingListener(System.getLogger("org.lrwp.sdk"));
    }
}
