package org.lrwp.webapp.client;

/** Watches one client that takes its answer slowly, and says when it takes none of it. */
final class SlowReader {
    private final Sender sender;
    private final Runnable turn;
    private final Backlog backlog;
    private volatile boolean over;
    private volatile boolean stalled;

    /** Of the watch's thread. */
    private long seen;

    private SlowReader(Sender sender, Backlog backlog, Runnable turn) {
        this.sender = sender;
        this.turn = turn;
        this.backlog = backlog;
    }

    /** Begins to watch a client that an answer waits for. */
    static SlowReader watch(
            Sender sender, ClientStream stream, ClientSettings settings, Runnable turn) {
        var made = new SlowReader(sender, new Backlog(stream, settings), turn);
        settings.stalls().add(made::lasts);
        return made;
    }

    /** Whether the client has read nothing for the stall time. */
    boolean isStalled() {
        return stalled;
    }

    /** The answer is complete or given up. */
    void end() {
        over = true;
    }

    /** Watches what the operating system has yet to deliver of a complete answer. */
    static void watchDelivery(ClientStream stream, ClientSettings settings) {
        if (stream.pendingBytes() > 0) {
            settings.stalls().add(new Backlog(stream, settings)::lasts);
        }
    }

    /** A connection that does not tell what it holds is told by what it has taken. */
    private boolean lasts() {
        if (sender.written() != seen) {
            seen = sender.written();
            backlog.restart();
        }
        if (over) {
            return false;
        }
        if (!sender.isBlocked()) {
            backlog.restart();
        } else if (backlog.isStalled()) {
            stalled = true;
            turn.run();
            return false;
        }
        return true;
    }
}
