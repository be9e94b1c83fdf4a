package org.lrwp.engine.peer;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.engine.time.SharedDeadline;
import org.lrwp.protocol.CgiHead;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * One slot of a connection that has many, with its request. Its states are drawn at {@link
 * CallState}.
 *
 * <p>Purpose: whatever the peer does with this request, the others go on. Design: claimed by any
 * thread; everything else is a step, and its {@link CallWire} says where steps run, what is sent
 * and what has come. Every end is made in one place. Ordering promise: the slot is given back
 * before its request looks for another one.
 */
public final class PeerCall implements PeerSlot {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final PeerSlots slots;
    private final CallWire wire;
    private AnnouncedLength length = AnnouncedLength.NONE;
    // Written in steps; a timer's thread reads the state before the two behind it.
    private volatile CallState state = CallState.CLAIMED;
    private volatile long lastProgress;
    private @Nullable Attempt attempt;
    private @Nullable PeerConfig limits;

    /**
     * Creates a call for a slot that is claimed.
     *
     * @param slots what the slot is one of
     * @param wire the way to the peer
     */
    public PeerCall(PeerSlots slots, CallWire wire) {
        this.slots = slots;
        this.wire = wire;
    }

    // ---- The slot, from any thread.

    @Override
    public PeerConnection connection() {
        return slots.connection();
    }

    @Override
    public boolean isStreaming() {
        return slots.connection().isStreaming();
    }

    @Override
    public String peerName() {
        return slots.connection().peerName();
    }

    @Override
    public void release() {
        slots.release();
    }

    @Override
    public boolean send(Exchange exchange) {
        Attempt next = exchange.assign(this);
        if (next == null) {
            return false;
        }
        wire.execute(() -> begin(next));
        return true;
    }

    @Override
    public void cancel() {
        // Whose answer is whole tells so before anybody waits for its slot: nothing is to be done.
        if (state != CallState.ENDED) {
            wire.execute(() -> abandon("the request has ended"));
        }
    }

    private void begin(Attempt next) {
        PeerConfig known = slots.limits(next.contextName());
        attempt = next;
        limits = known;
        if (state == CallState.CANCELLED) {
            end(Attempt::end);
            return;
        }
        long now = progress();
        state = CallState.RUNNING;
        Failure refusal = wire.begin(next, now);
        if (refusal != null) {
            failed(refusal, Progress.NOT_SENT);
        }
    }

    // ---- What the peer says, in steps. All of it may come when nobody waits any more.

    /**
     * The peer has done something.
     *
     * @return the engine's nanoseconds
     */
    public long progress() {
        long now = slots.now();
        lastProgress = now;
        return now;
    }

    /** The answer has begun. */
    public void answering() {
        state = CallState.ANSWERING;
    }

    /**
     * The answer has begun with a head.
     *
     * @param head the peer's
     * @param known bytes of its body where the head does not say; -1 when nobody knows
     */
    public void answering(CgiHead head, long known) {
        Long said = head.contentLength();
        answering();
        length = AnnouncedLength.of(said, attempt().isBodyless(head));
        attempt().head(head, said == null ? known : said);
    }

    /** The peer has said its end; ours follows. */
    public void complete() {
        state = CallState.COMPLETE;
    }

    /** Both ends have come: the client's spool has the whole answer, or a tunnel has ended. */
    public void finish() {
        finish(NOTHING);
    }

    /**
     * Both ends have come.
     *
     * @param last bytes of the answer that its {@link #length} counts; the caller's again when this
     *     returns
     */
    public void finish(ByteBuffer last) {
        if (!isLive()) {
            letGo();
        } else if (length.isShort()) {
            attempt().bytes(last);
            end(PeerCall::breakOff);
        } else {
            slots.answered();
            end(current -> whole(current, last));
        }
    }

    /** The head goes out, so that the client sees an answer that breaks off. */
    private static void breakOff(Attempt attempt) {
        attempt.begin();
        attempt.failed(Failure.SHORT_ANSWER, Progress.PARTLY_ANSWERED);
    }

    private static void whole(Attempt attempt, ByteBuffer last) {
        attempt.answered(last);
        attempt.end();
    }

    /**
     * The peer refuses a request that it has not started.
     *
     * @param reason the peer's
     */
    public void refused(String reason) {
        if (state == CallState.RUNNING) {
            slots.log().request("request-refused", attempt(), reason);
            end(Attempt::refused);
        } else {
            letGo();
        }
    }

    /** The peer has no room for the request, and has not looked at it. */
    public void notTaken() {
        if (isLive()) {
            end(Attempt::notTaken);
        } else {
            letGo();
        }
    }

    /**
     * The peer gives the request up.
     *
     * @param reason the peer's
     */
    public void gaveUp(String reason) {
        if (isLive()) {
            slots.log().request("request-cancelled", attempt(), reason);
        }
        failed(Failure.PEER_CANCELLED, Progress.MAY_HAVE_STARTED);
    }

    /**
     * The peer has ended without an answer that is of use.
     *
     * @param failure what happened
     * @param progress how far the request had come
     */
    public void failed(Failure failure, Progress progress) {
        if (isLive()) {
            end(current -> current.failed(failure, progress));
        } else {
            letGo();
        }
    }

    /** The peer has ended a request that nobody waits for. */
    public void letGo() {
        if (state == CallState.CANCELLED && attempt != null) {
            end(current -> {});
        }
    }

    // ---- The end, in steps.

    /**
     * Nobody waits any more.
     *
     * @param reason for the peer
     */
    public void abandon(String reason) {
        if (state == CallState.CLAIMED) {
            state = CallState.CANCELLED;
        } else if (isLive()) {
            stop(reason, Attempt::end);
        }
    }

    /**
     * The answer is of no use: peer and client are told.
     *
     * @param reason for the peer
     * @param failure for the client
     * @param progress how far the request has come
     */
    public void giveUp(String reason, Failure failure, Progress progress) {
        stop(reason, current -> current.failed(failure, progress));
    }

    private void stop(String reason, Consumer<Attempt> tell) {
        if (state == CallState.COMPLETE || !wire.isBegun()) {
            end(tell);
            return;
        }
        Attempt current = attempt();
        state = CallState.CANCELLED;
        slots.stuck(this, current);
        wire.cancel(reason);
        tell.accept(current);
    }

    private void end(Consumer<Attempt> tell) {
        Attempt current = attempt();
        CallState before = state;
        state = CallState.ENDED;
        wire.free(before);
        if (before == CallState.CANCELLED) {
            slots.letGo(this);
        }
        slots.release();
        tell.accept(current);
        wire.ended(current);
        slots.slotFree();
    }

    // ---- Time.

    /**
     * Says when the peer is too late; from any thread.
     *
     * @param now the engine's nanoseconds
     * @return nanoseconds; {@link SharedDeadline#NEVER} while it is the turn of others
     */
    public long left(long now) {
        CallWait wait = waitsFor();
        if (wait == CallWait.NOTHING) {
            // The peer's time does not run meanwhile, and begins anew behind that.
            lastProgress = now;
            return SharedDeadline.NEVER;
        }
        PeerConfig known = limits;
        long nanos = known == null ? 0 : wait.limit(known).toNanos();
        return nanos == 0 ? SharedDeadline.NEVER : lastProgress + nanos - now;
    }

    private CallWait waitsFor() {
        CallState now = state;
        Attempt current = attempt;
        boolean clientsTurn =
                current == null
                        || !now.isLive()
                        || (now != CallState.RUNNING && !current.hasRoom());
        return clientsTurn ? CallWait.NOTHING : wire.waitsFor();
    }

    /**
     * The peer may have been silent, or have taken nothing, for too long. In steps.
     *
     * @return what has not come; empty when there is time left
     */
    public String late() {
        if (left(slots.now()) > 0) {
            return "";
        }
        CallWait wait = waitsFor();
        giveUp(wait.late(), wait.failure(), Progress.MAY_HAVE_STARTED);
        return wait.late();
    }

    /**
     * Does as {@link #late()} does, and says so. In steps.
     *
     * @param log takes a line when there is no time left
     */
    public void late(PeerLog log) {
        String reason = late();
        if (!reason.isEmpty()) {
            log.request("request-late", attempt(), reason);
        }
    }

    // ---- Views.

    /** {@return the present state; it changes in steps} */
    public CallState state() {
        return state;
    }

    /** {@return whether the peer has the request, and somebody waits for its answer} */
    public boolean isLive() {
        return state.isLive();
    }

    /** {@return the request, once it has begun; in steps} */
    public Attempt attempt() {
        return Objects.requireNonNull(attempt, "no request has begun");
    }

    /** {@return the limits of the request's context, once it has begun; in steps} */
    public PeerConfig limits() {
        return Objects.requireNonNull(limits, "no request has begun");
    }

    /** {@return how long the answer is to be; in steps} */
    public AnnouncedLength length() {
        return length;
    }
}
