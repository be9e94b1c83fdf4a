package org.lrwp.engine.peer.local;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.engine.peer.CallState;
import org.lrwp.engine.peer.CallWait;
import org.lrwp.engine.peer.PeerCall;
import org.lrwp.engine.peer.PeerLog;
import org.lrwp.engine.peer.TimedCalls;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.protocol.CgiHead;
import org.lrwp.sdk.SerialTasks;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The wire of one call: a module's handler at work on it. Front, deadlines and module come from any
 * thread; each leaves a step, and the steps are run one after another by whoever comes first.
 * Nobody waits, and no lock is held while the client is written to. Whether the module is entered
 * or the request is lost before that is decided once, as the module is not entered in a step:
 *
 * <pre>
 *   FRESH --the module is entered--> ENTERED
 *     +-----the peer is closed-----> LOST
 * </pre>
 */
final class LocalCall implements TimedCalls.Wire {
    private static final System.Logger LOG = System.getLogger(LocalCall.class.getName());

    private enum Entry {
        FRESH,
        /** The module may do something for the request: no other peer may have it as a new one. */
        ENTERED,
        /** The request goes elsewhere: the module never hears of it. */
        LOST
    }

    private final LocalConnection connection;
    private final SerialTasks steps = new SerialTasks(Runnable::run);
    private final PeerCall call;
    private final LocalAnswer answer;
    private final AtomicReference<Entry> entry = new AtomicReference<>(Entry.FRESH);
    private volatile @Nullable LocalExchange exchange;
    private boolean surplus;

    LocalCall(LocalConnection connection) {
        this.connection = connection;
        this.call = new PeerCall(connection.slots(), this);
        this.answer = new LocalAnswer(call);
    }

    @Override
    public PeerCall call() {
        return call;
    }

    LocalConnection connection() {
        return connection;
    }

    /** Runs a step, here or on the thread that runs one. */
    @Override
    public void execute(Runnable step) {
        steps.add(step);
    }

    // ---- The request, in steps.

    @Override
    public @Nullable Failure begin(Attempt next, long now) {
        if (!connection.takes(this)) {
            return Failure.PEER_GONE;
        }
        LocalExchange made = new LocalExchange(this, answer, next);
        exchange = made;
        made.body().open();
        next.started();
        made.begin();
        return null;
    }

    /** The module is about to be entered; false when nobody waits any more. From any thread. */
    boolean enter() {
        if (call.state() == CallState.RUNNING && entry.compareAndSet(Entry.FRESH, Entry.ENTERED)) {
            return true;
        }
        execute(call::letGo);
        return false;
    }

    /** A module hears of each request, if only that it is over. */
    @Override
    public boolean isBegun() {
        return true;
    }

    // ---- What the module says, in steps.

    /** The answer begins; {@link #silent} tells later whether bytes came at once. */
    void respond(CgiHead head) {
        if (call.state() != CallState.RUNNING) {
            return;
        }
        call.progress();
        answer.head(head, -1);
        if (!call.length().isShort()) {
            call.attempt().begin();
        }
    }

    /** Bytes are sure to come, but not now: the head waits for them a while. */
    void silent() {
        if (call.state() == CallState.ANSWERING && !answer.isBegun()) {
            call.attempt().pause();
        }
    }

    void answer(CgiHead head, ByteBuffer bytes) {
        if (call.state() != CallState.RUNNING) {
            call.letGo();
            return;
        }
        answer.head(head, bytes.remaining());
        call.complete();
        added(answer.add(bytes));
    }

    void write(ByteBuffer bytes) {
        if (call.state() == CallState.ANSWERING) {
            call.progress();
            added(answer.add(bytes));
        } else {
            answer.forget(bytes.remaining());
        }
    }

    void write(FilePart part) {
        if (call.state() == CallState.ANSWERING) {
            call.progress();
            added(answer.add(part));
        } else {
            answer.forget(part.length());
        }
    }

    private void added(boolean within) {
        if (!within && !surplus) {
            surplus = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "answer-too-long peer={0} {1} reason=\"more bytes than the Content-Length"
                            + " said\"",
                    connection.peerName(),
                    PeerLog.named(call.attempt()));
        }
        pass();
    }

    void complete() {
        if (call.state() == CallState.ANSWERING) {
            call.complete();
            pass();
        } else {
            call.letGo();
        }
    }

    void tellWritable() {
        LocalExchange known = exchange;
        if (call.state() == CallState.ANSWERING && known != null && answer.takeAsked()) {
            known.roomAgain();
        }
    }

    /** Passes on what the client has room for. */
    private void pass() {
        if (!call.isLive() || call.state() == CallState.RUNNING) {
            return;
        }
        boolean all = answer.pass();
        if (all && call.state() == CallState.COMPLETE) {
            call.finish();
            return;
        }
        call.attempt().begin();
        if (!all) {
            call.attempt().onRoom(() -> execute(this::roomAgain));
        }
        tellWritable();
    }

    private void roomAgain() {
        call.progress();
        pass();
        connection.watch(call);
    }

    // ---- The end, in steps.

    @Override
    public void cancel(String reason) {
        answer.drop();
        LocalExchange known = exchange;
        if (known != null) {
            known.cancel(reason);
        }
    }

    @Override
    public void free(CallState before) {
        answer.drop();
        connection.free(this);
    }

    @Override
    public void ended(Attempt attempt) {
        LocalExchange known = exchange;
        if (known != null) {
            attempt.whenUnused(known::end);
        }
    }

    /** The module hears the end at once. */
    @Override
    public void lost() {
        execute(
                () -> {
                    LocalExchange known = exchange;
                    if (call.isLive() && known != null) {
                        known.cancel("the peer is closed");
                    }
                    call.failed(Failure.PEER_GONE, progress());
                });
    }

    private Progress progress() {
        if (call.state() != CallState.RUNNING) {
            return Progress.PARTLY_ANSWERED;
        }
        return entry.compareAndSet(Entry.FRESH, Entry.LOST)
                ? Progress.NOT_STARTED
                : Progress.MAY_HAVE_STARTED;
    }

    // ---- Time, from any thread.

    @Override
    public CallWait waitsFor() {
        LocalExchange known = exchange;
        if (known == null || call.state() == CallState.COMPLETE) {
            return CallWait.NOTHING;
        } else if (known.body().isWhole()) {
            return CallWait.ANSWER;
        }
        return known.body().isHeldBack() ? CallWait.BODY : CallWait.NOTHING;
    }
}
