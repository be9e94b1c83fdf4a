package org.lrwp.webapp.files;

import org.lrwp.engine.spool.FilePart;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One part of a file on its way to one socket.
 *
 * <pre>
 *   GOING --all taken, given up, broken, or withdrawn--> OVER
 * </pre>
 *
 * <p>Its sender's thread does everything, but for {@link #left} and {@link #withdraw}.
 */
public final class FileSend {
    /** What a turn has come to. */
    enum Turn {
        /** The socket takes more, and others have their turn first. */
        AGAIN,
        /** The socket is full. */
        FULL,
        /** There is nothing more to do. */
        OVER
    }

    /** What {@link FilePart#transferTo} says of a file that cannot be sent any more. */
    private static final long GIVEN_UP = -1;

    /** The socket cannot be written to. */
    private static final long BROKEN = -2;

    private static final System.Logger LOG = System.getLogger(FileSend.class.getName());

    private final FilePart part;
    private final SocketChannel channel;
    private final SendListener listener;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile long done;
    private volatile boolean withdrawn;

    /** Whether it has its place among those that can go on; of the sender's thread. */
    private boolean queued;

    /**
     * Creates one; {@link FileSender#send} begins it.
     *
     * @param part what is sent
     * @param channel does not block; nobody else writes to it meanwhile
     * @param listener told how it fares
     */
    public FileSend(FilePart part, SocketChannel channel, SendListener listener) {
        this.part = part;
        this.channel = channel;
        this.listener = listener;
    }

    /**
     * Returns what the system has not taken.
     *
     * @return bytes
     */
    public long left() {
        return part.length() - done;
    }

    /** Has no more bytes sent, whatever is left; {@link FileSender#look} lets the socket go. */
    public void withdraw() {
        withdrawn = true;
    }

    SocketChannel channel() {
        return channel;
    }

    boolean isOver() {
        return over.get();
    }

    /** Takes a place among those that can go on; false when it has one. */
    boolean enqueue() {
        boolean fresh = !queued;
        queued = true;
        return fresh;
    }

    /** Sends so many bytes at most, in its place among those that can go on. */
    Turn turn(long most) {
        queued = false;
        if (over.get()) {
            return Turn.OVER;
        }
        long sent = 0;
        while (sent < most && sent < left()) {
            long count = transfer(done + sent, Math.min(most, left()) - sent);
            if (count <= 0) {
                tell(sent);
                return count == 0
                        ? Turn.FULL
                        : end(count == GIVEN_UP ? SendEnd.GIVEN_UP : SendEnd.GONE);
            }
            sent += count;
        }
        tell(sent);
        return left() == 0 ? end(SendEnd.WHOLE) : Turn.AGAIN;
    }

    private long transfer(long from, long most) {
        if (withdrawn || !channel.isOpen()) {
            return BROKEN;
        }
        try {
            return Math.max(GIVEN_UP, part.transferTo(from, most, channel));
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "file-not-sent", e);
            return BROKEN;
        }
    }

    private void tell(long sent) {
        if (sent > 0) {
            long sum = done + sent;
            done = sum;
            listener.sent(sent);
        }
    }

    private Turn end(SendEnd how) {
        if (over.compareAndSet(false, true)) {
            listener.ended(how);
        }
        return Turn.OVER;
    }

    /** The senders end: the same as a client that is gone. */
    void giveUp() {
        end(SendEnd.GONE);
    }
}
