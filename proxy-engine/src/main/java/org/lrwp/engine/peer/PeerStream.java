package org.lrwp.engine.peer;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;

import java.nio.ByteBuffer;

/**
 * One slot of an LRWP 3 connection with its request. Its states are drawn at {@link StreamState}.
 *
 * <p>Purpose: whatever the peer does with this stream, the other streams go on. Design: claimed by
 * any thread, it gets its number on the link's loop, where everything else happens. Ordering
 * promise: the slot is given back before its request looks for another one.
 */
final class PeerStream implements PeerHandler {
    private final Lrwp3Connection connection;
    private StreamState state = StreamState.CLAIMED;
    private AnswerPhase phase = AnswerPhase.NOTHING;
    private final StreamAnswer answer;
    private int id;
    private @Nullable Attempt attempt;
    private @Nullable StreamRequest request;
    private @Nullable PeerConfig limits;
    private long lastProgress;

    private int windows; // WINDOW frames that are not written

    PeerStream(Lrwp3Connection connection, long window) {
        this.connection = connection;
        this.answer = new StreamAnswer(window);
    }

    // ---- The slot, from any thread.

    @Override
    public Lrwp3Connection connection() {
        return connection;
    }

    @Override
    public boolean isStreaming() {
        return connection.isStreaming();
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
    public boolean send(Exchange exchange) {
        Attempt next = exchange.assign(this);
        if (next == null) {
            return false;
        }
        PeerConfig peer = connection.limits(next.contextName());
        connection.execute(() -> begin(next, peer));
        return true;
    }

    @Override
    public void cancel() {
        connection.execute(() -> abandon("the request has ended"));
    }

    // ---- The request, on the loop.

    private void begin(Attempt next, PeerConfig peer) {
        attempt = next;
        limits = peer;
        if (state == StreamState.CANCELLED) {
            free();
            next.end();
            connection.slotFree();
        } else if (!connection.takes(next)) {
            free();
            next.failed(Failure.PEER_GONE, Progress.NOT_SENT);
        } else if (!StreamRequest.fits(next, connection.peer())) {
            free();
            next.failed(Failure.HEAD_TOO_LARGE, Progress.NOT_SENT);
            connection.slotFree();
        } else {
            id = connection.streams().add(this);
            state = StreamState.SENDING;
            lastProgress = connection.now();
            var sending = new StreamRequest(this, id, next, connection.peer());
            request = sending;
            connection.out().add(sending.start());
            if (!sending.isEnded()) {
                next.frameBody().onReady(() -> connection.execute(this::bodyReady));
                connection.out().addBody(sending);
            }
            connection.changed(this, lastProgress);
        }
    }

    private void bodyReady() {
        StreamRequest sending = request;
        if (state != StreamState.SENDING || sending == null) {
            return;
        }
        if (sending.isBroken()) {
            abandon("the request's body is gone");
        } else {
            connection.out().addBody(sending);
            connection.changed(this, connection.now());
        }
    }

    /** The END of the request is written. */
    void requestSent() {
        if (state == StreamState.SENDING) {
            state = StreamState.WAITING;
            lastProgress = connection.now();
            connection.changed(this, lastProgress);
        }
    }

    // ---- What the peer says, on the loop. All of it may come after our CANCEL too.

    void started() {
        if (phase == AnswerPhase.NOTHING) {
            phase = AnswerPhase.STARTED;
        }
    }

    void response(ByteBuffer payload, boolean end, AnswerHeads heads)
            throws MalformedFrameException {
        if (phase == AnswerPhase.ANSWERING) {
            throw new MalformedFrameException("a second RESPONSE on stream " + id);
        }
        phase = AnswerPhase.ANSWERING;
        lastProgress = connection.now();
        Attempt current = attempt;
        PeerConfig known = limits;
        if (isLive() && current != null && known != null) {
            int start = payload.position();
            try {
                answer.head(payload, end, current, heads.parser(known.answerHead()));
            } catch (MalformedFrameException e) {
                String rule = String.valueOf(e.getMessage());
                ByteBuffer first = payload.position(start);
                AnswerReader.logBrokenHead(peerName(), current.contextName(), rule, first);
                giveUp(current, "broken head: " + rule, end);
                return;
            }
        } else {
            StreamAnswer.skipHead(payload);
        }
        octets(payload, end);
    }

    void data(ByteBuffer payload, boolean end) throws MalformedFrameException {
        if (phase != AnswerPhase.ANSWERING) {
            throw new MalformedFrameException("DATA before RESPONSE on stream " + id);
        }
        lastProgress = connection.now();
        octets(payload, end);
    }

    private void octets(ByteBuffer payload, boolean end) throws MalformedFrameException {
        if (!answer.count(payload.remaining())) {
            throw new MalformedFrameException("window overrun on stream " + id);
        }
        Attempt current = attempt;
        boolean within = true;
        if (isLive() && current != null) {
            within = answer.pass(payload, current);
            if (!end && within) {
                current.begin();
                grant();
            }
        }
        if (end) {
            ended();
        } else if (!within && current != null) {
            // The client has all that was announced to it.
            current.answered();
            abandon("more octets than the Content-Length said");
        }
    }

    /** Gives the peer window, now or when the client has taken enough. */
    private void grant() {
        Attempt current = attempt;
        if (!isLive() || current == null) {
            return;
        }
        long octets = answer.grant(current);
        if (octets > 0) {
            byte[] frame = Frames.window(id, octets);
            windows++;
            connection.out().addUrgent(OutFrame.of(this, frame, () -> windows--));
            connection.changed(this, connection.now());
        }
        if (!current.hasRoom()) {
            current.onRoom(() -> connection.execute(this::roomAgain));
        }
    }

    private void roomAgain() {
        lastProgress = connection.now();
        grant();
    }

    /** END of the answer. */
    private void ended() {
        Attempt current = isLive() ? attempt : null;
        free();
        if (current != null) {
            complete(current);
        }
        connection.slotFree();
    }

    private void complete(Attempt current) {
        if (answer.isShort()) {
            // The head goes out, so that the client sees an answer that breaks off.
            current.begin();
            current.failed(Failure.SHORT_ANSWER, Progress.PARTLY_ANSWERED);
        } else {
            connection.answered();
            current.answered();
            current.end();
        }
    }

    void refused(String text) throws MalformedFrameException {
        Attempt current = attempt;
        boolean live = isLive();
        if (live && phase != AnswerPhase.NOTHING) {
            throw new MalformedFrameException("REFUSED after the start of stream " + id);
        }
        boolean crossed = connection.state() != Lrwp3State.OPEN || id > connection.capacity();
        free();
        if (live && current != null && crossed) {
            current.failed(Failure.PEER_GONE, Progress.NOT_STARTED);
        } else if (live && current != null) {
            connection.log().request("request-refused", current, text);
            current.refused();
        }
        connection.slotFree();
    }

    void cancelledByPeer(String text) {
        Attempt current = attempt;
        boolean live = isLive();
        free();
        if (live && current != null) {
            connection.log().request("request-cancelled", current, text);
            current.failed(Failure.PEER_CANCELLED, Progress.MAY_HAVE_STARTED);
        }
        connection.slotFree();
    }

    void window(long octets) throws MalformedFrameException {
        StreamRequest sending = request;
        if (sending == null || state == StreamState.CANCELLED) {
            return;
        }
        if (!sending.grant(octets)) {
            throw new MalformedFrameException("window above 4294967295 on stream " + id);
        }
        if (state == StreamState.SENDING && !sending.isEnded()) {
            lastProgress = connection.now();
            connection.out().addBody(sending);
            connection.changed(this, lastProgress);
        }
    }

    // ---- The end.

    /** Whether somebody waits for the answer. */
    private boolean isLive() {
        return state == StreamState.SENDING || state == StreamState.WAITING;
    }

    /** The answer is of no use: the client is told, and the peer, if it has not ended. */
    private void giveUp(Attempt current, String reason, boolean peerEnded) {
        if (peerEnded) {
            free();
        } else {
            cancelAtPeer(reason);
        }
        current.failed(Failure.BROKEN_HEAD, Progress.PARTLY_ANSWERED);
        connection.slotFree();
    }

    /** Nobody waits any more: a request that was not sent is taken back, else the peer is told. */
    private void abandon(String reason) {
        StreamRequest sending = request;
        Attempt current = attempt;
        if (state == StreamState.CLAIMED) {
            state = StreamState.CANCELLED;
        } else if (isLive() && sending != null && current != null) {
            if (sending.isBegun()) {
                cancelAtPeer(reason);
            } else {
                free();
                connection.slotFree();
            }
            current.end();
        }
    }

    private void cancelAtPeer(String reason) {
        StreamRequest sending = request;
        Attempt current = attempt;
        state = StreamState.CANCELLED;
        if (sending != null && current != null) {
            connection.out().remove(this, sending);
            connection.cancelled(this, current);
        }
        sendCancel(reason);
    }

    private void sendCancel(String reason) {
        connection.out().addUrgent(OutFrame.of(Frames.text(FrameType.CANCEL, id, reason)));
        connection.changed(this, connection.now());
    }

    /** The peer has ended, or never had it: number and slot are free. */
    private void free() {
        StreamRequest sending = request;
        boolean unsent = state == StreamState.SENDING;
        if (sending != null && (unsent || windows > 0)) {
            connection.out().remove(this, sending);
        }
        if (sending != null && unsent && sending.isBegun() && !sending.isEndBegun()) {
            // Before any new request on this number.
            sendCancel("the stream has ended");
        }
        state = StreamState.ENDED;
        connection.letGo(this);
        if (id > 0) {
            connection.streams().remove(id);
        }
        connection.slots().release();
    }

    /** The connection has ended; its slots are gone with it. */
    void lost(Failure failure, boolean inOrder) {
        Attempt current = attempt;
        boolean live = isLive();
        state = StreamState.ENDED;
        if (!live || current == null) {
            return;
        }
        if (answer.hasAllAnnounced()) {
            current.answered();
            current.end();
        } else {
            boolean unstarted =
                    inOrder && phase == AnswerPhase.NOTHING && connection.peer().started();
            current.failed(failure, StreamRequest.progress(request, phase, unstarted));
        }
    }

    // ---- Time, on the loop.

    /** Nanoseconds until the peer is too late; {@link ConnectionTimer#NEVER} on others' turn. */
    long left(long now) {
        PeerConfig known = limits;
        Attempt current = attempt;
        StreamRequest sending = request;
        if (known == null || current == null || sending == null || !isLive()) {
            return ConnectionTimer.NEVER;
        } else if (phase == AnswerPhase.ANSWERING && !current.hasRoom()) {
            return ConnectionTimer.NEVER;
        } else if (state == StreamState.WAITING) {
            return lastProgress + known.responseTime().toNanos() - now;
        }
        return sending.isHeldBack()
                ? lastProgress + known.sendTime().toNanos() - now
                : ConnectionTimer.NEVER;
    }

    /** The peer has been silent, or has taken nothing, for too long. */
    void late() {
        Attempt current = attempt;
        if (!isLive() || current == null) {
            return;
        }
        boolean sent = state == StreamState.WAITING;
        cancelAtPeer(sent ? "no answer in time" : "no window in time");
        current.failed(
                sent ? Failure.PEER_TIMEOUT : Failure.PEER_STALLED, Progress.MAY_HAVE_STARTED);
    }
}
