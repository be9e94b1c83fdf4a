package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.transport.Link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What waits to be written to an LRWP 3 peer: docs/protocol.md section 15. The link's loop only.
 *
 * <p>Purpose: all that is ready goes out in one system call, in an order that the protocol allows.
 * Design: urgent frames first, then requests and bodies in turn, one DATA frame of each stream at a
 * time; frames of which the connection takes no byte come back, so that a request that is cancelled
 * meanwhile is never sent. Ordering promises: frames of one stream, and all that is not urgent,
 * keep their order; bodies never overtake their own request.
 */
final class FrameQueue {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Deque<OutFrame> urgent = new ArrayDeque<>();
    private final Deque<OutFrame> ordered = new ArrayDeque<>();
    private final Deque<StreamRequest> bodies = new ArrayDeque<>();
    private final Deque<OutFrame> returned = new ArrayDeque<>();
    private final List<OutFrame> batch = new ArrayList<>();
    private final RequestHeads heads = new RequestHeads();
    private ByteBuffer rest = NOTHING;
    private @Nullable OutFrame partial;
    private boolean bodiesTurn;
    private long written;

    /** Adds a frame that may overtake others. */
    void addUrgent(OutFrame frame) {
        urgent.add(frame);
    }

    void add(OutFrame frame) {
        ordered.add(frame);
    }

    /** The heads of requests that are added next. */
    RequestHeads heads() {
        if (ordered.isEmpty() && returned.isEmpty() && batch.isEmpty()) {
            heads.clear();
        }
        return heads;
    }

    /** A stream has bytes of its body, and window for them. */
    void addBody(StreamRequest request) {
        if (request.enqueue()) {
            bodies.add(request);
        }
    }

    /** Takes out what is queued of a stream; a frame that has begun is finished. */
    void remove(PeerStream stream, StreamRequest request) {
        urgent.removeIf(frame -> frame.belongsTo(stream));
        ordered.removeIf(frame -> frame.belongsTo(stream));
        returned.removeIf(frame -> frame.belongsTo(stream));
        bodies.remove(request);
    }

    /** Takes out all that has not begun. */
    void clear() {
        urgent.clear();
        ordered.clear();
        returned.clear();
        bodies.clear();
    }

    /** How many frames wait that no stream accounts for, requests included. */
    int frames() {
        return urgent.size() + ordered.size() + returned.size();
    }

    /** How many bytes the link has taken so far. */
    long written() {
        return written;
    }

    /**
     * Writes as much as the link takes.
     *
     * @return whether all is written
     * @throws IOException when the connection failed
     */
    boolean write(Link link) throws IOException {
        while (finishRest(link)) {
            ByteBuffer out = fill(link.scratch());
            if (batch.isEmpty()) {
                return true;
            }
            out.flip();
            int size = out.remaining();
            int taken = (int) link.write(new ByteBuffer[] {out});
            written += taken;
            settle(out, taken);
            if (taken < size) {
                return false;
            }
        }
        return false;
    }

    private boolean finishRest(Link link) throws IOException {
        if (rest.hasRemaining()) {
            written += link.write(new ByteBuffer[] {rest});
            if (rest.hasRemaining()) {
                return false;
            }
            rest = NOTHING;
            OutFrame done = partial;
            partial = null;
            if (done != null) {
                done.finish();
            }
        }
        return true;
    }

    private ByteBuffer fill(ByteBuffer scratch) {
        ByteBuffer out = scratch;
        OutFrame next = next();
        if (next != null && next.size() > out.remaining()) {
            // A single frame may be larger than what the loop lends.
            out = ByteBuffer.allocate(next.size());
        }
        while (next != null && next.size() <= out.remaining()) {
            next.copyTo(out);
            batch.add(next);
            next = next();
        }
        if (next != null) {
            returned.addFirst(next);
        }
        return out;
    }

    private @Nullable OutFrame next() {
        OutFrame next = returned.poll();
        if (next == null) {
            next = urgent.poll();
        }
        if (next == null) {
            bodiesTurn = !bodiesTurn;
            next = bodiesTurn ? nextBody() : nextOrdered();
        }
        if (next == null) {
            next = bodiesTurn ? nextOrdered() : nextBody();
        }
        return next;
    }

    private @Nullable OutFrame nextOrdered() {
        OutFrame next = ordered.poll();
        if (next != null) {
            next.take();
        }
        return next;
    }

    /** The next frame of a body whose own request has had its turn. */
    private @Nullable OutFrame nextBody() {
        OutFrame next = null;
        for (int left = bodies.size(); next == null && left > 0; left--) {
            StreamRequest request = bodies.remove();
            if (!request.isTaken()) {
                bodies.add(request);
                continue;
            }
            request.dequeue();
            next = request.next();
            if (next != null && !request.isEnded()) {
                addBody(request);
            }
        }
        return next;
    }

    /** Books what the link has taken of a batch. */
    private void settle(ByteBuffer out, int taken) {
        int left = taken;
        int index = 0;
        while (index < batch.size() && batch.get(index).size() <= left) {
            left -= batch.get(index).size();
            batch.get(index).finish();
            index++;
        }
        if (left > 0) {
            OutFrame cut = batch.get(index);
            cut.begin();
            partial = cut;
            byte[] bytes = new byte[cut.size() - left];
            out.get(bytes);
            rest = ByteBuffer.wrap(bytes);
            index++;
        }
        for (int i = batch.size() - 1; i >= index; i--) {
            returned.addFirst(batch.get(i));
        }
        batch.clear();
    }
}
