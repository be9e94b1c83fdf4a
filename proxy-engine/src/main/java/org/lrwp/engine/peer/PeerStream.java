package org.lrwp.engine.peer;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
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
final class PeerStream extends StreamSlot {
    private final Lrwp3Connection connection;
    private StreamState state = StreamState.CLAIMED;
    private AnswerPhase phase = AnswerPhase.NOTHING;
    private final StreamAnswer answer;
    private int id;
    private @Nullable Attempt attempt;
    private @Nullable StreamRequest request;
    private @Nullable StreamTime time;
    private int windows; // WINDOW frames that are not written

    PeerStream(Lrwp3Connection connection, long window) {
        super(connection);
        this.connection = connection;
        this.answer = new StreamAnswer(window);
    }

    // ---- The request, on the loop.

    @Override
    void begin(Attempt next, PeerConfig peer) {
        attempt = next;
        long now = connection.now();
        time = new StreamTime(peer, now);
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
            var sending = new StreamRequest(this, id, next, connection.peer());
            request = sending;
            connection.out().add(sending.start());
            if (!sending.isEnded()) {
                sending.onReady(() -> connection.execute(this::bodyReady));
                connection.out().addBody(sending);
            }
            connection.changed(this, now);
        }
    }

    private void bodyReady() {
        StreamRequest sending = request;
        if (!isSending() || sending == null) {
            return;
        }
        if (answer.isTunnel()) {
            progress();
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
        Attempt current = attempt;
        if (state == StreamState.SENDING) {
            state = StreamState.WAITING;
            connection.changed(this, progress());
        } else if (state == StreamState.PEER_ENDED && current != null) {
            tunnelOver(current);
        }
    }

    private long progress() {
        long now = connection.now();
        return time == null ? now : time.progress(now);
    }

    // ---- What the peer says, on the loop. All of it may come after our CANCEL too.

    void started() {
        phase = phase == AnswerPhase.NOTHING ? AnswerPhase.STARTED : phase;
    }

    void response(ByteBuffer payload, boolean end, AnswerHeads heads)
            throws MalformedFrameException {
        if (phase == AnswerPhase.ANSWERING) {
            throw new MalformedFrameException("a second RESPONSE on stream " + id);
        }
        phase = AnswerPhase.ANSWERING;
        progress();
        Attempt current = attempt;
        StreamTime known = time;
        if (isLive() && current != null && known != null) {
            int start = payload.position();
            try {
                answer.head(payload, end, current, heads.parser(known.limits().answerHead()));
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
        } else if (state == StreamState.PEER_ENDED) {
            throw new MalformedFrameException("DATA behind END on stream " + id);
        }
        progress();
        octets(payload, end);
    }

    private void octets(ByteBuffer payload, boolean end) throws MalformedFrameException {
        answer.count(payload.remaining(), id);
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
        answer.onRoom(current, () -> connection.execute(this::roomAgain));
    }

    private void roomAgain() {
        progress();
        grant();
    }

    /** END of the answer. */
    private void ended() {
        Attempt current = isLive() ? attempt : null;
        if (current != null && answer.isTunnel()) {
            peerEnded(current);
            return;
        }
        free();
        if (current != null) {
            complete(current);
        }
        connection.slotFree();
    }

    private void peerEnded(Attempt current) {
        boolean both = state == StreamState.WAITING;
        state = StreamState.PEER_ENDED;
        answer.endTunnel();
        if (both) {
            tunnelOver(current);
        }
    }

    /** Both directions of a tunnel have ended. */
    private void tunnelOver(Attempt current) {
        free();
        connection.answered();
        current.end();
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
        Attempt current = isLive() ? attempt : null;
        if (current != null && phase != AnswerPhase.NOTHING) {
            throw new MalformedFrameException("REFUSED after the start of stream " + id);
        }
        boolean crossed = connection.state() != Lrwp3State.OPEN || id > connection.capacity();
        free();
        if (current != null && crossed) {
            current.failed(Failure.PEER_GONE, Progress.NOT_STARTED);
        } else if (current != null) {
            connection.log().request("request-refused", current, text);
            current.refused();
        }
        connection.slotFree();
    }

    void cancelledByPeer(String text) {
        Attempt current = isLive() ? attempt : null;
        free();
        if (current != null) {
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
        sending.grant(octets);
        if (isSending() && !sending.isEnded()) {
            connection.out().addBody(sending);
            connection.changed(this, progress());
        }
    }

    // ---- The end.

    /** Whether somebody waits for the answer. */
    private boolean isLive() {
        return isSending() || state == StreamState.WAITING;
    }

    private boolean isSending() {
        return state == StreamState.SENDING || state == StreamState.PEER_ENDED;
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

    @Override
    void abandon(String reason) {
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
        if (state == StreamState.PEER_ENDED) {
            free();
            connection.slotFree();
        } else if (sending != null && current != null) {
            state = StreamState.CANCELLED;
            connection.out().remove(this, sending);
            connection.streams().stuck(this, current);
            sendCancel(reason);
        }
    }

    private void sendCancel(String reason) {
        connection.out().addUrgent(OutFrame.of(Frames.text(FrameType.CANCEL, id, reason)));
        connection.changed(this, connection.now());
    }

    /** The peer has ended, or never had it: number and slot are free. */
    private void free() {
        StreamRequest sending = request;
        boolean unsent = isSending();
        boolean tunnel = state == StreamState.PEER_ENDED;
        if (sending != null && (unsent || windows > 0)) {
            connection.out().remove(this, sending);
        }
        if (sending != null && unsent && sending.isBegun() && !sending.isEndBegun()) {
            // Before any new request on this number.
            sendCancel("the stream has ended");
        }
        state = StreamState.ENDED;
        connection.streams().letGo(this);
        if (id > 0) {
            connection.streams().remove(id, tunnel);
        }
        connection.slots().release();
    }

    /** The connection has ended; its slots are gone with it. */
    void lost(Failure failure, boolean inOrder) {
        Attempt current = isLive() ? attempt : null;
        state = StreamState.ENDED;
        if (current == null) {
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

    // ---- Time.
    /** Nanoseconds until the peer is too late; {@link ConnectionTimer#NEVER} on others' turn. */
    long left(long now) {
        return time == null ? ConnectionTimer.NEVER : time.left(waitsFor(), now);
    }

    private StreamTime.Wait waitsFor() {
        Attempt current = attempt;
        StreamRequest sending = request;
        boolean answering = phase == AnswerPhase.ANSWERING;
        if (current == null || sending == null || !isLive()) {
            return StreamTime.Wait.NOTHING;
        } else if (answer.isTunnel()) {
            return StreamTime.Wait.BYTE;
        } else if (answering && !current.hasRoom()) {
            return StreamTime.Wait.NOTHING;
        } else if (state == StreamState.WAITING || (!answering && current.tunnel() != null)) {
            return StreamTime.Wait.ANSWER;
        }
        return sending.isHeldBack() ? StreamTime.Wait.WINDOW : StreamTime.Wait.NOTHING;
    }

    /** The peer has been silent, or has taken nothing, for too long. */
    void late() {
        Attempt current = attempt;
        if (current == null) {
            return;
        }
        switch (waitsFor()) {
            case ANSWER -> late(current, "no answer in time", Failure.PEER_TIMEOUT);
            case BYTE -> late(current, "nothing was sent for too long", Failure.TUNNEL_IDLE);
            case WINDOW -> late(current, "no window in time", Failure.PEER_STALLED);
            case NOTHING -> {}
        }
    }

    private void late(Attempt current, String reason, Failure failure) {
        cancelAtPeer(reason);
        current.failed(failure, Progress.MAY_HAVE_STARTED);
    }
}
