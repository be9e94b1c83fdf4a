package org.lrwp.engine.peer.local;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.peer.PeerCall;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.protocol.CgiHead;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A module's answer on its way to the client: bytes wait here, in the module's own buffers or
 * files, and are lent to the client's spool as fast as it is emptied. In the steps of one call, but
 * for {@link #expect} and {@link #isWelcome}.
 */
final class LocalAnswer {
    /** Bytes that may wait before the module is asked to wait too. */
    private static final int ROOM = 65_536;

    /** What the container gets at once at most, so that it does not hold more for a slow client. */
    private static final int SLICE = 65_536;

    private final PeerCall call;
    private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>(2);
    private @Nullable ArrayDeque<FilePart> files; // Most answers have none.
    private final AtomicLong bytes = new AtomicLong();
    private boolean bodyless;
    private boolean begun;
    private volatile boolean asked;

    LocalAnswer(PeerCall call) {
        this.call = call;
    }

    // ---- Any thread.

    /** Bytes are about to be added. */
    void expect(long count) {
        bytes.addAndGet(count);
    }

    /** Whether more is welcome; when not, {@link #takeAsked} is true once it is. */
    boolean isWelcome() {
        if (bytes.get() < ROOM) {
            return true;
        }
        asked = true;
        return false;
    }

    // ---- In the steps.

    /** The head of an answer whose bytes, if they are all known, are so many. */
    void head(CgiHead head, int known) {
        bodyless = call.attempt().isBodyless(head);
        call.answering(head, known);
    }

    /** Adds bytes; false when the head has announced fewer, and the rest is dropped. */
    boolean add(ByteBuffer more) {
        begun = true;
        int count = more.remaining();
        boolean within = bodyless || call.length().take(more);
        int dropped = bodyless ? count : count - more.remaining();
        bytes.addAndGet(-dropped);
        if (count > dropped) {
            waiting.add(more);
        }
        return within;
    }

    /** Adds a part of a file; false when the head has announced less, and it is dropped. */
    boolean add(FilePart part) {
        begun = true;
        boolean within = !bodyless && call.length().take(part.length());
        if (within) {
            ArrayDeque<FilePart> waitingFiles = files == null ? new ArrayDeque<>(2) : files;
            waitingFiles.add(part);
            files = waitingFiles;
        } else {
            forget(part.length());
        }
        return within || bodyless;
    }

    /** Passes on what the client has room for; true when nothing waits any more. */
    boolean pass() {
        return passFiles(call.attempt()) && passBytes(call.attempt());
    }

    private boolean passFiles(Attempt attempt) {
        ArrayDeque<FilePart> known = files;
        if (known == null) {
            return true;
        }
        while (!known.isEmpty() && attempt.hasRoom()) {
            FilePart part = known.remove();
            forget(part.length());
            attempt.lend(part);
        }
        return known.isEmpty();
    }

    private boolean passBytes(Attempt attempt) {
        ByteBuffer next = waiting.peek();
        while (next != null && attempt.hasRoom()) {
            int count = Math.min(next.remaining(), SLICE);
            attempt.lend(lendable(next.slice(next.position(), count)));
            next.position(next.position() + count);
            bytes.addAndGet(-count);
            if (!next.hasRemaining()) {
                waiting.remove();
                next = waiting.peek();
            }
        }
        return next == null;
    }

    /** The container takes arrays: what has none is copied when its turn has come. */
    private static ByteBuffer lendable(ByteBuffer slice) {
        return slice.hasArray() ? slice : ByteBuffer.allocate(slice.remaining()).put(slice).flip();
    }

    /** Whether the module waits to be told that more is welcome, and it is; asked once. */
    boolean takeAsked() {
        if (!asked || bytes.get() >= ROOM) {
            return false;
        }
        asked = false;
        return true;
    }

    void drop() {
        waiting.clear();
        files = null;
        bytes.set(0);
    }

    /** Whether bytes have been added. */
    boolean isBegun() {
        return begun;
    }

    /** Gives up bytes that were expected. */
    void forget(long count) {
        bytes.addAndGet(-count);
    }
}
