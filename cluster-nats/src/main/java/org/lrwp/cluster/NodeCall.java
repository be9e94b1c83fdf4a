package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.engine.peer.CallState;
import org.lrwp.engine.peer.CallWait;
import org.lrwp.engine.peer.PeerCall;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.TimedCalls;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Spool;
import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.sdk.SerialTasks;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.concurrent.Executor;

/**
 * The wire of one request at another node. Steps are run one after another by whoever comes first:
 * the thread of the request, of NATS, or of a timer. Nobody waits.
 *
 * <p>A large body goes by HTTP, when the node has said that it is ready for it: until all of it has
 * gone no peer can have begun.
 *
 * <p>Promise: until the node has said that it takes the request, with the first piece of an answer
 * or an error, BUSY gives it back as if it had not been sent. Without a word of the node it counts
 * as perhaps started.
 */
final class NodeCall implements TimedCalls.Wire {
    /** How many pieces of an answer the other node sends before it waits for an ack. */
    static final int WINDOW = 8;

    /** So many pieces are worth an ack. */
    private static final int WORTH = WINDOW / 2;

    private static final int UNKNOWN = -1;

    private final Away away;
    private final NodeConnection node;
    private final ServedContext context;
    private final long id;
    private final SerialTasks steps = new SerialTasks(Runnable::run);
    private final PeerCall call;

    /** The loop that has brought the request, most likely its client's; null for none. */
    private @Nullable Executor home;

    private @Nullable ByteBuffer body;
    private @Nullable Upload upload;
    private volatile boolean sent;
    private int free = UNKNOWN;
    private int pieces;
    private int acked;

    NodeCall(Away away, NodeConnection node, ServedContext context, long id) {
        this.away = away;
        this.node = node;
        this.context = context;
        this.id = id;
        this.call = new PeerCall(node.slots(), this);
    }

    @Override
    public PeerCall call() {
        return call;
    }

    @Override
    public void execute(Runnable step) {
        steps.add(step);
    }

    // ---- The request, in steps.

    @Override
    public @Nullable Failure begin(Attempt attempt, long now) {
        home = away.here();
        away.begins(id, this);
        node.begins(this);
        Spool spool = attempt.frameBody();
        if (away.isLarge(attempt.bodyLength())) {
            send(attempt, new Away.Content(ByteBuffer.allocate(0), attempt.bodyLength()));
            return null;
        }
        body = ByteBuffer.allocate((int) Math.max(0, attempt.bodyLength()));
        spool.onReady(() -> execute(this::pump));
        pump();
        return null;
    }

    /** The node has a slot, and waits for the body. */
    private void bring(Message.Ready ready) {
        if (call.state() != CallState.RUNNING || upload != null) {
            return;
        }
        call.progress();
        node.watch(this);
        Spool spool = call.attempt().frameBody();
        var going = new Upload(this::execute, new Body(spool));
        upload = going;
        spool.onReady(() -> execute(going::pump));
        var _ =
                away.bring(node, id, ready, call.attempt().bodyLength(), going)
                        .whenComplete(
                                (there, fault) -> execute(() -> brought(fault == null && there)));
    }

    private void brought(boolean there) {
        if (there || call.state() != CallState.RUNNING) {
            return;
        }
        if (sent) {
            lose("the body may have arrived");
        } else {
            away.cancel(node, id);
            giveBack(0, ClusterFigures.Figure.UNHEARD);
        }
    }

    /** What is uploaded; in steps. */
    private final class Body implements Upload.Source {
        private final Spool spool;

        Body(Spool spool) {
            this.spool = spool;
        }

        @Override
        public @Nullable ByteBuffer next() {
            ByteBuffer next = spool.poll();
            if (next == null) {
                return null;
            }
            call.progress();
            node.watch(NodeCall.this);
            // The spool may take its memory back before it has been written.
            ByteBuffer copy = ByteBuffer.allocate(next.remaining()).put(next).flip();
            // Once the last bytes are out of hand the node may have the whole.
            sent |= spool.ending() == BodyEnding.COMPLETE;
            return copy;
        }

        @Override
        public boolean isWhole() {
            return spool.ending() == BodyEnding.COMPLETE;
        }

        @Override
        public boolean isOver() {
            return call.state() != CallState.RUNNING || spool.ending() == BodyEnding.BROKEN;
        }
    }

    /** Gathers the body, which may be in a file, and sends the whole. */
    private void pump() {
        ByteBuffer whole = body;
        if (sent || whole == null || call.state() != CallState.RUNNING) {
            return;
        }
        Attempt attempt = call.attempt();
        Spool spool = attempt.frameBody();
        for (ByteBuffer next = spool.poll(); next != null; next = spool.poll()) {
            whole.put(next);
        }
        if (spool.ending() == BodyEnding.COMPLETE) {
            body = null;
            sent = true;
            send(attempt, new Away.Content(whole.flip(), -1));
        }
    }

    private void send(Attempt attempt, Away.Content content) {
        ByteBuffer environment = attempt.environment(new EnvBlockWriter());
        if (away.send(node, id, context, attempt.request(), environment, content)) {
            call.progress();
            node.watch(this);
        } else {
            // Behind this step: the call is being made.
            execute(() -> giveBack(0, ClusterFigures.Figure.UNHEARD));
        }
    }

    // ---- What the node says. From the bus's thread.

    void heard(Message message) {
        atHome(() -> hear(message));
    }

    /** NATS says that nobody has heard it. */
    void unheard() {
        atHome(() -> giveBack(0, ClusterFigures.Figure.UNHEARD));
    }

    /**
     * A loop takes all answers of a message together and finds what their clients ask next at once;
     * it also has buffers to write them from.
     */
    private void atHome(Runnable step) {
        Executor loop = home;
        if (loop == null) {
            execute(step);
        } else {
            loop.execute(() -> execute(step));
        }
    }

    private void hear(Message message) {
        switch (message) {
            case Message.Ready ready -> bring(ready);
            case Message.Busy busy -> giveBack(busy.free(), ClusterFigures.Figure.BUSY);
            case Message.Failed failed -> failed(failure(failed.failure()));
            case Message.Head head -> head(head);
            case Message.Data data -> data(data);
            case Message.Broken broken -> call.failed(Failure.PEER_GONE, progress());
            default -> {}
        }
    }

    private void giveBack(int left, ClusterFigures.Figure why) {
        if (call.state() == CallState.RUNNING) {
            free = left;
            away.count(why);
            call.notTaken();
        } else {
            call.letGo();
        }
    }

    /** A word that this version does not know is a peer that gave no answer. */
    private static Failure failure(String word) {
        try {
            return Failure.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            return Failure.PEER_GONE;
        }
    }

    /** The node has tried what may be tried. */
    private void failed(Failure failure) {
        if (call.isLive()) {
            call.attempt().startedEnough();
        }
        call.failed(failure, progress());
    }

    private void head(Message.Head head) {
        if (call.state() != CallState.RUNNING) {
            call.letGo();
            return;
        }
        Long length = head.length() < 0 ? null : head.length();
        CgiHead made;
        try {
            made = new CgiHead(head.status(), head.reason(), head.fields(), length);
        } catch (IllegalArgumentException e) {
            away.cancel(node, id);
            failed(Failure.BROKEN_HEAD);
            return;
        }
        call.answering(made, -1);
        piece(head.bytes(), head.free(), head.last());
    }

    private void data(Message.Data data) {
        if (call.state() == CallState.ANSWERING && data.number() == pieces) {
            boolean asks = data.isQuestion();
            piece(data.bytes(), data.free(), data.last());
            if (asks && call.isLive() && call.attempt().hasRoom()) {
                // The last ack was lost.
                ack(1);
            }
        } else {
            lose("a piece of the answer is lost");
        }
    }

    private void piece(ByteBuffer bytes, int left, boolean last) {
        pieces++;
        call.progress();
        call.length().take(bytes);
        if (last) {
            free = left;
            away.count(ClusterFigures.Figure.ANSWERED);
            call.finish(bytes);
            return;
        }
        call.attempt().bytes(bytes);
        call.attempt().begin();
        node.watch(this);
        if (call.attempt().hasRoom()) {
            ack(WORTH);
        } else {
            call.attempt().onRoom(() -> execute(this::roomAgain));
        }
    }

    private void roomAgain() {
        call.progress();
        ack(WORTH);
        node.watch(this);
    }

    /** Not each piece is worth a message. */
    private void ack(int worth) {
        if (call.state() == CallState.ANSWERING && pieces - acked >= worth) {
            acked = pieces;
            away.ack(node, id, pieces);
        }
    }

    // ---- The end, in steps.

    @Override
    public boolean isBegun() {
        return true;
    }

    @Override
    public void cancel(String reason) {
        away.cancel(node, id);
        // What comes still is for nobody: the slot is the other node's.
        execute(call::letGo);
    }

    @Override
    public void free(CallState before) {
        node.ended(this);
        away.ended(id);
        if (free == UNKNOWN) {
            away.freed(node, context);
        } else {
            away.told(node, context, free);
        }
        if (before != CallState.RUNNING) {
            away.spill();
        }
    }

    @Override
    public void lost() {
        atHome(
                () -> {
                    if (sent) {
                        lose("the node is lost");
                    } else {
                        giveBack(0, ClusterFigures.Figure.UNHEARD);
                    }
                });
    }

    private void lose(String reason) {
        if (!call.isLive()) {
            call.letGo();
            return;
        }
        node.log().request("request-lost", call.attempt(), reason);
        away.count(ClusterFigures.Figure.LOST);
        away.cancel(node, id);
        call.failed(Failure.PEER_GONE, progress());
    }

    private Progress progress() {
        return call.state() == CallState.RUNNING
                ? Progress.MAY_HAVE_STARTED
                : Progress.PARTLY_ANSWERED;
    }

    // ---- Time, from any thread.

    @Override
    public CallWait waitsFor() {
        return call.state() == CallState.COMPLETE ? CallWait.NOTHING : CallWait.ANSWER;
    }
}
