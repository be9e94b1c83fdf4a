package org.lrwp.engine.peer.multiplexed;

import org.lrwp.engine.transport.Link;

import java.io.IOException;

/**
 * Writes the frames of one connection: one writer at a time, once for all that became ready in a
 * round of the loop. The link's loop only.
 */
final class ConnectionWriter {
    private final Link link;
    private final FrameQueue frames;
    private final Events events;
    private boolean flushing;
    private boolean blocked;

    /** Is told how writing goes. */
    interface Events {
        /** The peer takes no more bytes, or has taken all. */
        void blocked(boolean now);

        /** All is written. */
        void written();

        /** The connection cannot be written to. */
        void failed(IOException failure);
    }

    ConnectionWriter(Link link, FrameQueue frames, Events events) {
        this.link = link;
        this.frames = frames;
        this.events = events;
    }

    /** Writes at the end of the loop's round. */
    void flushSoon() {
        if (!flushing) {
            flushing = true;
            link.execute(this::flush);
        }
    }

    private void flush() {
        flushing = false;
        if (!blocked) {
            write();
        }
    }

    /** Whether more frames wait than that, although the link takes no bytes. */
    boolean isStuckWith(int most) {
        return blocked && frames.frames() > most;
    }

    /**
     * Tries whether a link that is not writable takes some bytes all the same: systems say writable
     * only when much room is there.
     */
    boolean takesSome() {
        long before = frames.written();
        write();
        return frames.written() > before;
    }

    /** The link takes bytes again. */
    void writable() {
        blocked = false;
        write();
    }

    private void write() {
        try {
            blocked = !frames.write(link);
        } catch (IOException e) {
            events.failed(e);
            return;
        }
        events.blocked(blocked);
        if (blocked) {
            link.awaitWritable();
        } else {
            events.written();
        }
    }
}
