package org.lrwp.webapp.servlet;

/** Watches one client that takes its answer slowly, and says when it takes none of it. */
final class SlowReader {
    private final ClientLink link;
    private final ClientSettings settings;
    private final Turns turns;
    private boolean watching;
    private volatile boolean over;
    private volatile long seen;
    private volatile boolean stalled;

    SlowReader(ClientLink link, ClientSettings settings, Turns turns) {
        this.link = link;
        this.settings = settings;
        this.turns = turns;
    }

    /** Begins to watch, if the answer waits for the client for the first time. In turns only. */
    void watch(AnswerWriter writer) {
        if (writer.isBlocked() && !watching) {
            watching = true;
            var backlog = new Backlog(link, settings);
            settings.stalls().add(() -> lasts(writer, backlog));
        }
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
    void watchDelivery() {
        if (link.pendingOctets() > 0) {
            settings.stalls().add(new Backlog(link, settings)::lasts);
        }
    }

    /** A container that does not tell what it holds is told by what it has taken. */
    private boolean lasts(AnswerWriter writer, Backlog backlog) {
        if (writer.written() != seen) {
            seen = writer.written();
            backlog.restart();
        }
        if (over) {
            return false;
        }
        if (!writer.isBlocked()) {
            backlog.restart();
        } else if (backlog.isStalled()) {
            stalled = true;
            turns.ask();
            return false;
        }
        return true;
    }
}
