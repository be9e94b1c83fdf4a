package org.lrwp.webapp.client;

/**
 * What the operating system has not yet taken for one client, and since when that has not changed.
 * Used by one thread at a time.
 */
final class Backlog {
    private final ClientStream stream;
    private final ClientSettings settings;
    private long bytes = -1;
    private long since;

    Backlog(ClientStream stream, ClientSettings settings) {
        this.stream = stream;
        this.settings = settings;
        restart();
    }

    /** Begins anew: the client has read. */
    void restart() {
        since = settings.clock().nanos();
    }

    /** Whether the client has read nothing for the stall time. */
    boolean isStalled() {
        long now = stream.pendingBytes();
        if (now != bytes) {
            bytes = now;
            restart();
        }
        long silent = settings.clock().nanos() - since;
        return silent >= settings.config().stallTime().toNanos();
    }

    /** Cuts a client that does not read the rest of a complete answer; false when that is over. */
    boolean lasts() {
        if (stream.pendingBytes() == 0) {
            return false;
        }
        if (isStalled()) {
            stream.cut(true);
            return false;
        }
        return true;
    }
}
