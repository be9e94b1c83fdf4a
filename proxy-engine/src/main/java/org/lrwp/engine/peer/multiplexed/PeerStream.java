package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.peer.CallState;
import org.lrwp.engine.peer.CallWait;
import org.lrwp.engine.peer.CallWire;
import org.lrwp.engine.peer.PeerCall;
import org.lrwp.engine.spool.BodySource;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;

import java.nio.ByteBuffer;

/**
 * The wire of one call: a stream of an LRWP 3 connection. Its call has got its slot from any
 * thread; it gets its number on the link's loop, where everything else happens. What the peer is
 * told of a call that has ended is said here, and by {@link StreamAnswer} which frames may come.
 */
final class PeerStream implements CallWire {
    private final Lrwp3Connection connection;
    private final PeerCall call;
    private final StreamAnswer answer;
    private @Nullable StreamRequest request;
    private int windows; // WINDOW frames that are not written

    PeerStream(Lrwp3Connection connection) {
        this.connection = connection;
        this.call = new PeerCall(connection.slots(), this);
        this.answer = new StreamAnswer(connection.window(), call);
    }

    PeerCall call() {
        return call;
    }

    @Override
    public void execute(Runnable step) {
        connection.execute(step);
    }

    // ---- The request, on the loop.

    @Override
    public @Nullable Failure begin(Attempt next, long now) {
        if (!connection.takes(next)) {
            return Failure.PEER_GONE;
        }
        RequestHeads heads = connection.out().heads();
        ByteBuffer environment = next.environment(heads.block());
        if (!StreamRequest.fits(environment, connection.peer())) {
            return Failure.HEAD_TOO_LARGE;
        }
        int id = connection.streams().add(this);
        Tunnel tunnel = next.tunnel();
        BodySource body = tunnel == null ? next.passingBody() : tunnel;
        var sending = new StreamRequest(this, id, body, connection.peer());
        request = sending;
        connection.out().add(sending.start(environment, heads));
        if (!sending.isEnded()) {
            sending.onReady(() -> connection.execute(this::bodyReady));
            connection.out().addBody(sending);
        }
        connection.changed(this, now);
        return null;
    }

    /** The stream's number; 0 while it has no request. */
    private int id() {
        StreamRequest sending = request;
        return sending == null ? 0 : sending.id();
    }

    private void bodyReady() {
        StreamRequest sending = request;
        if (sending == null || !isSending()) {
            return;
        }
        if (answer.isTunnel()) {
            call.progress();
        }
        if (sending.isBroken()) {
            call.abandon("the request's body is gone");
        } else {
            connection.out().addBody(sending);
            connection.changed(this, connection.now());
        }
    }

    /** Whether bytes of the request may still have to be written. */
    private boolean isSending() {
        StreamRequest sending = request;
        return call.isLive() && sending != null && !sending.isEndWritten();
    }

    /** The END of the request is written. */
    void requestSent() {
        if (call.state() == CallState.COMPLETE) {
            call.finish();
        } else if (call.isLive()) {
            connection.watch(this, call.progress());
        }
    }

    @Override
    public boolean isBegun() {
        StreamRequest sending = request;
        return sending != null && sending.isBegun();
    }

    // ---- What the peer says, on the loop. All of it may come after our CANCEL too.

    void started() {
        answer.started();
        if (call.isLive()) {
            call.attempt().started();
        }
    }

    void response(ByteBuffer payload, boolean end, AnswerHeads heads)
            throws MalformedFrameException {
        answer.begin(id());
        call.progress();
        if (call.isLive()) {
            int start = payload.position();
            try {
                answer.head(payload, end, heads.parser(call.limits().answerHead()));
            } catch (MalformedFrameException e) {
                String rule = String.valueOf(e.getMessage());
                String context = call.attempt().contextName();
                connection.log().brokenHead(context, rule, payload.position(start));
                broken("broken head: " + rule, end);
                return;
            }
        } else {
            StreamAnswer.skipHead(payload);
        }
        bytes(payload, end);
    }

    /** The answer is of no use: the client is told, and the peer, if it has not ended. */
    private void broken(String reason, boolean peerEnded) {
        if (peerEnded) {
            call.failed(Failure.BROKEN_HEAD, Progress.PARTLY_ANSWERED);
        } else {
            call.giveUp(reason, Failure.BROKEN_HEAD, Progress.PARTLY_ANSWERED);
        }
    }

    void data(ByteBuffer payload, boolean end) throws MalformedFrameException {
        answer.checkData(id());
        call.progress();
        bytes(payload, end);
    }

    private void bytes(ByteBuffer payload, boolean end) throws MalformedFrameException {
        answer.count(payload.remaining(), id());
        if (end) {
            ended(payload);
        } else if (call.isLive()) {
            if (answer.pass(payload)) {
                call.attempt().begin();
                grant();
            } else {
                // The client has all that was announced to it.
                call.attempt().answered();
                call.abandon("more bytes than the Content-Length said");
            }
        }
    }

    /** Gives the peer window, now or when the client has taken enough. */
    private void grant() {
        if (!call.isLive()) {
            return;
        }
        long bytes = answer.grant(connection.window());
        if (bytes > 0) {
            byte[] frame = Frames.window(id(), bytes);
            windows++;
            connection.out().addUrgent(OutFrame.of(this, frame, () -> windows--));
            connection.changed(this, connection.now());
        }
        answer.onRoom(() -> connection.execute(this::roomAgain), connection.window());
    }

    private void roomAgain() {
        call.progress();
        grant();
    }

    /** END of the answer; a tunnel is over when the request has ended too. */
    private void ended(ByteBuffer last) {
        if (!call.isLive()) {
            call.finish();
            return;
        } else if (!answer.isTunnel()) {
            call.length().take(last);
            call.finish(last);
            return;
        }
        answer.pass(last);
        boolean both = !isSending();
        call.complete();
        answer.endTunnel();
        if (both) {
            call.finish();
        }
    }

    void refused(String text) throws MalformedFrameException {
        if (call.isLive() && !answer.isNothing()) {
            throw new MalformedFrameException("REFUSED after the start of stream " + id());
        }
        boolean crossed = connection.state() != Lrwp3State.OPEN || id() > connection.capacity();
        if (crossed) {
            call.failed(Failure.PEER_GONE, Progress.NOT_STARTED);
        } else {
            call.refused(text);
        }
    }

    void cancelledByPeer(String text) {
        call.gaveUp(text);
    }

    void window(long bytes) throws MalformedFrameException {
        StreamRequest sending = request;
        if (sending == null || call.state() == CallState.CANCELLED) {
            return;
        }
        sending.grant(bytes);
        if (call.isLive() && !sending.isEnded()) {
            connection.out().addBody(sending);
            connection.changed(this, call.progress());
        }
    }

    // ---- The end, on the loop.

    @Override
    public void cancel(String reason) {
        StreamRequest sending = request;
        if (sending != null) {
            connection.out().remove(this, sending);
        }
        sendCancel(reason);
    }

    private void sendCancel(String reason) {
        connection.out().addUrgent(OutFrame.of(Frames.text(FrameType.CANCEL, id(), reason)));
        connection.changed(this, connection.now());
    }

    /** The peer has ended, or never had it: the number is free. */
    @Override
    public void free(CallState before) {
        StreamRequest sending = request;
        if (sending == null || !connection.state().isListening()) {
            // It has no number, or its connection has let go of all that waits.
            return;
        }
        boolean unsent = before.isLive() && !sending.isEndWritten();
        if (unsent || windows > 0) {
            connection.out().remove(this, sending);
        }
        if (unsent && sending.isBegun() && !sending.isEndBegun()) {
            // Before any new request on this number.
            sendCancel("the stream has ended");
        }
        connection.streams().remove(id(), before == CallState.COMPLETE);
    }

    /** The connection has ended. */
    void lost(Failure failure, boolean inOrder) {
        if (call.length().isReached()) {
            call.finish();
        } else {
            boolean unstarted = inOrder && answer.isNothing() && connection.peer().started();
            call.failed(failure, StreamRequest.progress(request, answer.isBegun(), unstarted));
        }
    }

    // ---- Time.

    @Override
    public CallWait waitsFor() {
        StreamRequest sending = request;
        if (sending == null) {
            return CallWait.NOTHING;
        } else if (answer.isTunnel()) {
            return CallWait.BYTE;
        }
        boolean maybeTunnel = !answer.isBegun() && call.attempt().tunnel() != null;
        if (sending.isEndWritten() || maybeTunnel) {
            return CallWait.ANSWER;
        }
        return sending.isHeldBack() ? CallWait.WINDOW : CallWait.NOTHING;
    }
}
