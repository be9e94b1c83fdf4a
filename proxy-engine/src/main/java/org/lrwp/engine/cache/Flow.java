package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.NoSpaceException;
import org.lrwp.engine.spool.Spool;
import org.lrwp.sdk.SerialTask;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * The bytes of one answer on their way from the context to the first who asked, with a copy for the
 * cache. One thread at a time moves them, whichever is told that there is something to do.
 */
final class Flow extends SerialTask {
    private final Spool source;
    private final @Nullable Spool to;
    private final long length;
    private final int most;
    private final Events events;
    private @Nullable ByteArrayOutputStream copy;
    private long moved;
    private boolean whole;
    private boolean ended;

    /** Is told by the thread that moves bytes. */
    interface Events {
        /** The answer is longer than what may be copied; it goes on without a copy. */
        void tooLarge();

        /**
         * All bytes are there. The first who asked gets the last of them, or their end, after this
         * call: when he asks again, it must be over.
         *
         * @param bytes the copy; null when there is none
         */
        void whole(byte @Nullable [] bytes);

        /**
         * No more will come.
         *
         * @param complete whether they were all
         */
        void ended(boolean complete);

        /**
         * Moving them failed as it never should. Nothing is told after this.
         *
         * @param why what was thrown
         */
        void broken(RuntimeException why);
    }

    /**
     * Creates a flow.
     *
     * @param to gets the bytes as they come; null for nobody
     * @param length bytes that were announced; -1 when unknown
     * @param most bytes that are copied; 0 for no copy
     */
    Flow(Spool source, @Nullable Spool to, long length, int most, Events events) {
        this.source = source;
        this.to = to;
        this.length = length;
        this.most = most;
        this.events = events;
        this.copy = most > 0 ? new ByteArrayOutputStream() : null;
    }

    void start() {
        if (to != null) {
            to.onRoom(this);
        }
        source.onReady(this);
        run();
    }

    @Override
    protected void turn() {
        if (ended) {
            return;
        }
        try {
            move();
        } catch (RuntimeException e) {
            // Or nobody would move the rest, ever.
            ended = true;
            events.broken(e);
        }
    }

    private void move() {
        while (!isForNobody() && (to == null || to.hasRoom())) {
            ByteBuffer bytes = source.poll();
            if (bytes == null) {
                break;
            }
            copy(bytes);
            moved += bytes.remaining();
            if (moved == length) {
                tellWhole();
            }
            if (to != null) {
                try {
                    to.append(bytes);
                } catch (NoSpaceException e) {
                    to.breakOff();
                }
            }
        }
        BodyEnding ending = source.ending();
        if (ending != BodyEnding.OPEN) {
            ended = true;
            boolean complete = ending == BodyEnding.COMPLETE;
            if (complete) {
                tellWhole();
            }
            events.ended(complete);
        } else if (isForNobody()) {
            // Or the peer would go on for as long as it likes.
            ended = true;
            events.ended(false);
        }
    }

    /** Whether neither the cache nor a client will get what is still to come. */
    private boolean isForNobody() {
        return copy == null && !whole && (to == null || to.ending() == BodyEnding.BROKEN);
    }

    private void tellWhole() {
        if (!whole) {
            whole = true;
            ByteArrayOutputStream made = copy;
            events.whole(made == null ? null : made.toByteArray());
        }
    }

    private void copy(ByteBuffer bytes) {
        ByteArrayOutputStream into = copy;
        if (into == null) {
            return;
        }
        if (into.size() + bytes.remaining() > most) {
            copy = null;
            events.tooLarge();
            return;
        }
        byte[] part = new byte[bytes.remaining()];
        bytes.duplicate().get(part);
        into.write(part, 0, part.length);
    }
}
