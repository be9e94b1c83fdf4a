package org.lrwp.engine.peer;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.protocol.CgiHead;

import java.nio.ByteBuffer;

/**
 * One slot of a local peer with its request. Its states are drawn at {@link LocalCallState}.
 *
 * <p>Purpose: whatever the module does with this request, the other ones go on. Design: front,
 * deadlines and module come from any thread; each leaves a step, and the steps are run one after
 * another by whoever comes first. Nobody waits, and no lock is held while the client is written to.
 * Ordering promise: the slot is given back before its request looks for another one.
 */
final class LocalCall implements PeerHandler {
    private final LocalConnection connection;
    private final SerialTasks steps = new SerialTasks(Runnable::run);
    private final LocalAnswer answer = new LocalAnswer();
    private volatile LocalCallState state = LocalCallState.CLAIMED;
    private volatile @Nullable Attempt attempt;
    private volatile @Nullable LocalExchange exchange;
    private volatile @Nullable PeerConfig limits;
    private volatile long lastProgress;
    private volatile boolean entered;
    private boolean surplus;

    LocalCall(LocalConnection connection) {
        this.connection = connection;
    }

    // ---- The slot, from any thread.

    @Override
    public LocalConnection connection() {
        return connection;
    }

    @Override
    public boolean isStreaming() {
        return true;
    }

    @Override
    public String peerName() {
        return connection.peerName();
    }

    @Override
    public void release() {
        connection.slots().release();
    }

    @Override
    public boolean send(Exchange next) {
        Attempt assigned = next.assign(this);
        if (assigned == null) {
            return false;
        }
        step(() -> begin(assigned));
        return true;
    }

    @Override
    public void cancel() {
        step(() -> nobodyWaits("the request has ended"));
    }

    /** Runs a step, here or on the thread that runs one. */
    void step(Runnable task) {
        steps.add(task);
    }

    /** Whether somebody waits for the answer. */
    boolean isLive() {
        return state.isLive();
    }

    /** The module is about to be entered; false when nobody waits any more. */
    boolean enter() {
        entered = true;
        if (state == LocalCallState.RUNNING) {
            return true;
        }
        step(this::letGo);
        return false;
    }

    // ---- The request, in steps.

    private void begin(Attempt next) {
        attempt = next;
        limits = connection.limits(next.contextName());
        if (state == LocalCallState.CANCELLED) {
            free();
            next.end();
            connection.slotFree();
        } else if (!connection.takes(this)) {
            free();
            next.failed(Failure.PEER_GONE, Progress.NOT_SENT);
            connection.slotFree();
        } else {
            state = LocalCallState.RUNNING;
            progress();
            LocalExchange made = new LocalExchange(this, answer, next, connection.executor());
            exchange = made;
            made.body().open();
            made.start(connection.handler());
        }
    }

    /** Its time is looked at when it may be over, however it changes meanwhile. */
    void watch() {
        connection.watch(left(connection.now()));
    }

    /** The module has done something. */
    void progress() {
        lastProgress = connection.now();
    }

    // ---- What the module says, in steps.

    /** The answer begins; {@link #silent} tells later whether octets came at once. */
    void respond(CgiHead head) {
        Attempt current = attempt;
        if (current == null || state != LocalCallState.RUNNING) {
            return;
        }
        state = LocalCallState.ANSWERING;
        progress();
        answer.head(head, -1, current);
        if (!answer.isShort()) {
            current.begin();
        }
    }

    /** Octets are sure to come, but not now: the head waits for them a while. */
    void silent() {
        Attempt current = attempt;
        if (current != null && state == LocalCallState.ANSWERING && !answer.isBegun()) {
            current.pause();
        }
    }

    void answer(CgiHead head, ByteBuffer octets) {
        Attempt current = attempt;
        if (current == null || state != LocalCallState.RUNNING) {
            letGo();
            return;
        }
        state = LocalCallState.COMPLETE;
        answer.head(head, octets.remaining(), current);
        added(answer.add(octets));
    }

    void write(ByteBuffer octets) {
        if (state == LocalCallState.ANSWERING) {
            progress();
            added(answer.add(octets));
        } else {
            answer.forget(octets.remaining());
        }
    }

    void write(FilePart part) {
        if (state == LocalCallState.ANSWERING) {
            progress();
            added(answer.add(part));
        } else {
            answer.forget(part.length());
        }
    }

    private void added(boolean within) {
        Attempt current = attempt;
        if (!within && !surplus && current != null) {
            surplus = true;
            connection.log().surplus(current);
        }
        pass();
    }

    void complete() {
        if (state == LocalCallState.ANSWERING) {
            state = LocalCallState.COMPLETE;
            pass();
        } else {
            letGo();
        }
    }

    void tellWritable() {
        LocalExchange known = exchange;
        if (state == LocalCallState.ANSWERING && known != null && answer.takeAsked()) {
            known.writable();
        }
    }

    /** Passes on what the client has room for. */
    private void pass() {
        Attempt current = attempt;
        if (current == null || !(isLive() && state != LocalCallState.RUNNING)) {
            return;
        }
        boolean all = answer.pass(current);
        if (all && state == LocalCallState.COMPLETE) {
            finish(current);
            return;
        }
        current.begin();
        if (!all) {
            current.onRoom(() -> step(this::roomAgain));
        }
        tellWritable();
    }

    private void roomAgain() {
        progress();
        pass();
        watch();
    }

    /** The whole answer is with the client's spool. */
    private void finish(Attempt current) {
        boolean isShort = answer.isShort();
        free();
        if (isShort) {
            // The head goes out, so that the client sees an answer that breaks off.
            current.begin();
            current.failed(Failure.SHORT_ANSWER, Progress.PARTLY_ANSWERED);
        } else {
            connection.answered();
            current.answered();
            current.end();
        }
        done(current);
        connection.slotFree();
    }

    void refuse(String reason) {
        Attempt current = attempt;
        if (current == null || state != LocalCallState.RUNNING) {
            letGo();
            return;
        }
        connection.log().request("request-refused", current, reason);
        free();
        current.refused();
        done(current);
        connection.slotFree();
    }

    void giveUp(String reason) {
        Attempt current = attempt;
        if (current == null || !isLive()) {
            letGo();
            return;
        }
        connection.log().request("request-cancelled", current, reason);
        free();
        current.failed(Failure.PEER_CANCELLED, Progress.MAY_HAVE_STARTED);
        done(current);
        connection.slotFree();
    }

    /** The module has ended a request that nobody waits for. */
    private void letGo() {
        Attempt current = attempt;
        if (current != null && state == LocalCallState.CANCELLED) {
            free();
            done(current);
            connection.slotFree();
        }
    }

    // ---- The end, in steps.

    private void nobodyWaits(String reason) {
        Attempt current = attempt;
        switch (state) {
            case CLAIMED -> state = LocalCallState.CANCELLED;
            case RUNNING, ANSWERING -> {
                cancelModule(reason);
                if (current != null) {
                    current.end();
                }
            }
            case COMPLETE -> {
                free();
                if (current != null) {
                    current.end();
                    done(current);
                }
                connection.slotFree();
            }
            case CANCELLED, ENDED -> {}
        }
    }

    private void cancelModule(String reason) {
        LocalExchange known = exchange;
        Attempt current = attempt;
        state = LocalCallState.CANCELLED;
        answer.drop();
        if (known != null && current != null) {
            connection.cancelled(this, current);
            known.cancelled(reason);
        }
    }

    private void free() {
        state = LocalCallState.ENDED;
        answer.drop();
        connection.free(this);
    }

    private void done(Attempt current) {
        LocalExchange known = exchange;
        if (known != null) {
            current.whenUnused(known::done);
        }
    }

    /** The peer is closed; the module hears the end at once. */
    void lost() {
        step(
                () -> {
                    Attempt current = attempt;
                    LocalExchange known = exchange;
                    LocalCallState before = state;
                    if (current == null || known == null || before == LocalCallState.ENDED) {
                        return;
                    }
                    free();
                    if (before.isLive()) {
                        known.cancelled("the peer is closed");
                        current.failed(Failure.PEER_GONE, progress(before));
                    }
                    done(current);
                });
    }

    private Progress progress(LocalCallState before) {
        if (before != LocalCallState.RUNNING) {
            return Progress.PARTLY_ANSWERED;
        }
        return entered ? Progress.MAY_HAVE_STARTED : Progress.NOT_STARTED;
    }

    // ---- Time, from any thread.

    /** Nanoseconds until the module is too late; {@link LocalTimer#NEVER} on others' turn. */
    long left(long now) {
        Attempt current = attempt;
        PeerConfig known = limits;
        LocalExchange request = exchange;
        if (current == null || known == null || request == null || !isLive()) {
            return LocalTimer.NEVER;
        }
        boolean clientsTurn = state != LocalCallState.RUNNING && !current.hasRoom();
        if (clientsTurn || state == LocalCallState.COMPLETE) {
            return LocalTimer.NEVER;
        } else if (request.body().isWhole()) {
            return lastProgress + known.responseTime().toNanos() - now;
        }
        return request.body().isHeldBack()
                ? lastProgress + known.sendTime().toNanos() - now
                : LocalTimer.NEVER;
    }

    /** The module has been silent, or has taken nothing, for too long. */
    void late() {
        step(
                () -> {
                    Attempt current = attempt;
                    LocalExchange request = exchange;
                    if (current == null || request == null || left(connection.now()) > 0) {
                        return;
                    }
                    boolean sent = request.body().isWhole();
                    String reason = sent ? "no answer in time" : "the body was not taken in time";
                    connection.log().request("request-late", current, reason);
                    cancelModule(reason);
                    current.failed(
                            sent ? Failure.PEER_TIMEOUT : Failure.PEER_STALLED,
                            Progress.MAY_HAVE_STARTED);
                });
    }
}
