package org.lrwp.webapp.edge;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.spool.Handover;
import org.lrwp.http1.BodyReader;
import org.lrwp.http1.HttpHead;
import org.lrwp.http1.KnownField;
import org.lrwp.http1.MalformedRequestException;
import org.lrwp.sdk.SerialTask;
import org.lrwp.webapp.client.BodySink;
import org.lrwp.webapp.client.BodySource;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The body of a request as it comes, without its chunks. The client is read again when all that has
 * come was taken and there is room for more: so at most one read waits here, and the client is held
 * back by its own connection. Whoever makes room may be any thread; the bytes are given by one at a
 * time.
 *
 * <pre>
 *   UNREAD --taken at once--> WHOLE
 *   UNREAD --start--> GIVING --all given, more is to come--> AWAITING --bytes--> GIVING
 *                       | \--no room--> FULL --room--> GIVING
 *                       +--all given--> WHOLE
 *   any but WHOLE --the client leaves, or breaks a rule--> BROKEN
 *   any --end--> ENDED
 * </pre>
 */
final class EdgeBody extends SerialTask implements BodySource {
    /** The connection that a body comes from. */
    interface Owner {
        /**
         * Bytes behind the end of the body belong to the next request. By whoever reads the
         * connection.
         */
        void keep(ByteBuffer rest);

        /** The client may send more. Any thread. */
        void awaitBytes();

        /**
         * Memory for a body that has come whole, which {@link #giveBack} takes back. On the loop.
         */
        ByteBuffer memory(int bytes);

        /** Memory of a body that nobody needs any more. Any thread. */
        void giveBack(ByteBuffer memory);
    }

    private enum State {
        UNREAD,
        GIVING,
        AWAITING,
        FULL,
        WHOLE,
        BROKEN,
        ENDED
    }

    /** Bytes of chunk extensions and trailers of one body, whoever answers its request. */
    static final int MOST_OVERHEAD = 16 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Owner owner;
    private final @Nullable BodyReader reader;
    private @Nullable BodySink sink;

    /** What has come and is not given: the loop's while AWAITING, else of who has the turn. */
    private ByteBuffer content = NOTHING;

    /** The loop's memory for all of it, lent to who answers the request. */
    private ByteBuffer lent = NOTHING;

    private volatile State state = State.UNREAD;

    /** All of it has come; what of it is given does not matter. */
    private volatile boolean complete;

    private volatile @Nullable IOException broken;
    private volatile boolean ending;

    private EdgeBody(Owner owner, @Nullable BodyReader reader) {
        this.owner = owner;
        this.reader = reader;
        this.complete = reader == null || reader.isWhole();
    }

    /** That of a request without one, or with one that nobody believes. */
    static EdgeBody none(Owner owner) {
        return new EdgeBody(owner, null);
    }

    /**
     * Creates a body.
     *
     * @param owner gets its bytes from the client
     * @param head of its request
     * @param begin what has come behind the head; its position moves behind what is the body's
     * @throws BadRequestException when its chunks break a rule
     */
    static EdgeBody of(Owner owner, HttpHead head, ByteBuffer begin) throws BadRequestException {
        if (head.bodyLength() == 0) {
            return none(owner);
        }
        var body = new EdgeBody(owner, BodyReader.of(head, MOST_OVERHEAD));
        try {
            body.content = body.decode(begin);
        } catch (MalformedRequestException e) {
            throw BadRequestException.of(e);
        }
        return body;
    }

    /** Whether the client waits to be told that the body may come: RFC 9110 section 10.1.1. */
    boolean isAwaitedBy(HttpHead head) {
        int expect = head.find(KnownField.EXPECT);
        return !complete
                && expect >= 0
                && head.minorVersion() > 0
                && !content.hasRemaining()
                && head.isWord(head.value(expect), "100-continue");
    }

    /**
     * Copies the content out of bytes of the connection: whoever reads on after a pause may be
     * another thread, and the buffer in use again.
     */
    private ByteBuffer decode(ByteBuffer source) throws MalformedRequestException {
        BodyReader known = reader;
        if (known == null || complete) {
            return NOTHING;
        }
        ByteBuffer copy = NOTHING;
        for (ByteBuffer piece = known.next(source); piece != null; piece = known.next(source)) {
            if (copy.capacity() == 0) {
                // A body with a length comes in one piece; chunks go into one buffer.
                boolean chunks = known.missing() < 0;
                int most = piece.remaining() + (chunks ? source.remaining() : 0);
                boolean all = state == State.UNREAD && known.isWhole();
                copy = all ? owner.memory(most) : ByteBuffer.allocate(most);
            }
            copy.put(piece);
        }
        complete = known.isWhole();
        return copy.flip();
    }

    /** Whether all that has come was taken, and more is wanted. */
    boolean isAwaited() {
        return state == State.AWAITING;
    }

    /** Whether all of it has come, given or not. */
    boolean isComplete() {
        return complete;
    }

    /** Cuts a buffer so that as little as possible of the next request is read with this body. */
    ByteBuffer limited(ByteBuffer buffer) {
        long missing = reader == null ? 0 : reader.missing();
        return missing < 0 ? buffer : buffer.limit((int) Math.min(buffer.capacity(), missing));
    }

    // ---- The client, on its loop, after it was asked for more.

    /** Bytes have come; the content is copied. */
    void come(ByteBuffer more) {
        try {
            content = decode(more);
        } catch (MalformedRequestException e) {
            breakOff(new IOException(e));
            return;
        }
        owner.keep(more);
        if (content.hasRemaining() || complete) {
            if (state == State.AWAITING) {
                state = State.GIVING;
            }
            run();
        } else {
            // Only a part of a chunk's head: nobody has been given anything to take.
            owner.awaitBytes();
        }
    }

    /** Bytes have come that nobody wants. */
    void drop(ByteBuffer more) throws IOException {
        try {
            decode(more);
        } catch (MalformedRequestException e) {
            throw new IOException(e);
        }
        owner.keep(more);
    }

    /** The rest will never come. */
    void breakOff(IOException why) {
        broken = why;
        run();
    }

    // ---- Who takes it.

    /** All of it, in place of giving it piece by piece; null when more is to come. */
    @Nullable ByteBuffer takeWhole() {
        if (!complete || state != State.UNREAD) {
            return null;
        }
        state = State.WHOLE;
        ByteBuffer all = content;
        content = NOTHING;
        lent = all;
        return all;
    }

    /** Nobody needs the whole body any more. */
    void giveBack() {
        owner.giveBack(lent);
        lent = NOTHING;
    }

    /** Sets who takes it, before it begins. */
    void giveTo(BodySink taker) {
        sink = taker;
    }

    @Override
    public void start() {
        state = State.GIVING;
        run();
    }

    @Override
    public void resume() {
        if (state == State.FULL) {
            run();
        }
    }

    @Override
    protected void turn() {
        BodySink taker = sink;
        if (taker == null || state == State.UNREAD) {
            return;
        }
        if (ending) {
            state = State.ENDED;
            taker.changed();
        } else if (broken != null && state != State.WHOLE) {
            state = State.BROKEN;
            taker.changed();
        } else if (state == State.GIVING || state == State.FULL) {
            give(taker);
        }
    }

    private void give(BodySink taker) {
        state = State.GIVING;
        while (content.hasRemaining()) {
            if (!taker.hasRoom()) {
                state = State.FULL;
                // It may have been made meanwhile, by a thread that saw nobody wait for it.
                if (!taker.hasRoom()) {
                    return;
                }
                state = State.GIVING;
            }
            ByteBuffer all = content;
            content = NOTHING;
            if (!taker.take(all, Handover.ofUnused(all))) {
                return;
            }
        }
        if (complete) {
            state = State.WHOLE;
            taker.changed();
        } else if (!ending) {
            state = State.AWAITING;
            owner.awaitBytes();
        }
    }

    @Override
    public boolean end() {
        if (state == State.WHOLE) {
            return true;
        }
        if (state != State.ENDED) {
            ending = true;
            run();
        }
        return state == State.ENDED;
    }

    @Override
    public boolean isWhole() {
        return state == State.WHOLE;
    }

    @Override
    public boolean isBroken() {
        return broken != null;
    }

    @Override
    public boolean isMalformed() {
        IOException why = broken;
        return why != null && why.getCause() instanceof MalformedRequestException;
    }
}
