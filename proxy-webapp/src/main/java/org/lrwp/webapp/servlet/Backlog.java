package org.lrwp.webapp.servlet;

/**
 * What the operating system has not yet taken for one client, and since when that has not changed.
 * Used by one thread at a time.
 */
final class Backlog {
    private final ClientLink link;
    private final ClientSettings settings;
    private long octets = -1;
    private long since;

    Backlog(ClientLink link, ClientSettings settings) {
        this.link = link;
        this.settings = settings;
        restart();
    }

    /** Begins anew: the client has read. */
    void restart() {
        since = settings.clock().nanos();
    }

    /** Whether the client has read nothing for the stall time. */
    boolean isStalled() {
        long now = link.pendingOctets();
        if (now != octets) {
            octets = now;
            restart();
        }
        long silent = settings.clock().nanos() - since;
        return silent >= settings.config().stallTime().toNanos();
    }

    /** Cuts a client that does not read the rest of a complete answer; false when that is over. */
    boolean lasts() {
        if (link.pendingOctets() == 0) {
            return false;
        }
        if (isStalled()) {
            link.cut(true);
            return false;
        }
        return true;
    }
}
