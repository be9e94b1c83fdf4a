package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.peer.CallState;
import org.lrwp.engine.peer.PeerCall;
import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.CgiHeadParser;
import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;

/**
 * The peer's direction of one stream: RESPONSE, then DATA, as far as the proxy's window goes:
 * docs/protocol.md section 15. Its phase says which frames may come, also of an answer that nobody
 * waits for. The link's loop only.
 */
final class StreamAnswer {
    private static final long UNKNOWN = -1;

    /** How far the peer has come, in this order; STARTED may be left out. */
    private enum Phase {
        NOTHING,
        STARTED,
        ANSWERING
    }

    private final PeerCall call;
    private Phase phase = Phase.NOTHING;
    private long credit;
    private long received;
    private long granted;
    private @Nullable Tunnel opened;

    StreamAnswer(long window, PeerCall call) {
        this.credit = window;
        this.call = call;
    }

    /** STARTED has come. */
    void started() {
        phase = isNothing() ? Phase.STARTED : phase;
    }

    /**
     * A RESPONSE has come.
     *
     * @throws MalformedFrameException when it is the second one
     */
    void begin(int id) throws MalformedFrameException {
        if (isBegun()) {
            throw new MalformedFrameException("a second RESPONSE on stream " + id);
        }
        phase = Phase.ANSWERING;
    }

    /**
     * DATA has come.
     *
     * @throws MalformedFrameException when it may not come now
     */
    void checkData(int id) throws MalformedFrameException {
        if (!isBegun()) {
            throw new MalformedFrameException("DATA before RESPONSE on stream " + id);
        } else if (call.state() == CallState.COMPLETE) {
            throw new MalformedFrameException("DATA behind END on stream " + id);
        }
    }

    /** Whether the peer has said nothing. */
    boolean isNothing() {
        return phase == Phase.NOTHING;
    }

    /** Whether the RESPONSE has come. */
    boolean isBegun() {
        return phase == Phase.ANSWERING;
    }

    /**
     * Takes a RESPONSE with a parser at its start.
     *
     * @throws MalformedFrameException when its head breaks a rule
     */
    void head(ByteBuffer payload, boolean end, CgiHeadParser parser)
            throws MalformedFrameException {
        if (startsLikeHttp(payload)) {
            throw new MalformedFrameException("the head starts with HTTP/");
        }
        if (parser.feed(payload) != CgiHeadParser.State.HEAD) {
            throw new MalformedFrameException("no blank line in the frame");
        }
        CgiHead head = parser.head();
        Tunnel tunnel = call.attempt().tunnel();
        if (head.isUpgrade()) {
            opened = checked(tunnel, head, end);
            call.answering();
            call.attempt().upgrade(head, opened);
            return;
        }
        if (tunnel != null && !end) {
            // It is an ordinary answer, and there is no body to wait for.
            tunnel.end();
        }
        // The end of an answer without body says nothing about the length of one with it.
        boolean known = end && !call.attempt().isBodyless(head);
        call.answering(head, known ? payload.remaining() : UNKNOWN);
    }

    private static Tunnel checked(@Nullable Tunnel tunnel, CgiHead head, boolean end)
            throws MalformedFrameException {
        if (tunnel == null) {
            throw new MalformedFrameException("status 101 that was not asked for");
        } else if (end) {
            throw new MalformedFrameException("status 101 with END");
        } else if (!tunnel.offer().contains(head.first("Upgrade"))) {
            throw new MalformedFrameException("status 101 with a protocol that was not offered");
        }
        return tunnel;
    }

    private static boolean startsLikeHttp(ByteBuffer payload) {
        String start = "HTTP/";
        if (payload.remaining() < start.length()) {
            return false;
        }
        for (int i = 0; i < start.length(); i++) {
            if (payload.get(payload.position() + i) != start.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Of an answer nobody waits for only the bytes of the body count, for the window. */
    static void skipHead(ByteBuffer payload) {
        int previous = 0;
        while (payload.hasRemaining()) {
            int value = payload.get();
            if (value == '\n' && previous == '\n') {
                return;
            }
            previous = value == '\r' ? previous : value;
        }
    }

    /**
     * Counts bytes against the window.
     *
     * @throws MalformedFrameException when they overrun it
     */
    void count(int bytes, int id) throws MalformedFrameException {
        credit -= bytes;
        received += bytes;
        if (credit < 0) {
            throw new MalformedFrameException("window overrun on stream " + id);
        }
    }

    /**
     * Passes bytes on, as far as the answer's length goes.
     *
     * @return false when there were more than that
     */
    boolean pass(ByteBuffer bytes) {
        Tunnel tunnel = opened;
        if (tunnel != null) {
            tunnel.send(bytes);
            return true;
        }
        boolean within = call.length().take(bytes);
        call.attempt().bytes(bytes);
        return within;
    }

    /** Whether the peer has gone over to another protocol. */
    boolean isTunnel() {
        return opened != null;
    }

    /** The peer sends nothing more through the tunnel. */
    void endTunnel() {
        if (opened != null) {
            opened.sendEnd();
        }
    }

    /**
     * Sets who is told when the client has taken what keeps the peer from sending on.
     *
     * @param window of the connection, in bytes
     */
    void onRoom(Runnable listener, long window) {
        if (opened != null && received - granted >= Math.max(1, window / 2)) {
            opened.onTaken(listener);
        } else if (!call.attempt().hasRoom()) {
            call.attempt().onRoom(listener);
        }
    }

    /**
     * How much window the peer can be given now; it is counted as given.
     *
     * @param window of the connection, in bytes
     * @return bytes; 0 while it is not worth a frame
     */
    long grant(long window) {
        if (!call.attempt().hasRoom()) {
            return 0;
        }
        long waiting = 0;
        if (opened != null) {
            waiting = opened.undelivered();
        } else if (call.isStreaming()) {
            waiting = call.attempt().undelivered();
        }
        long grant = received - granted - waiting;
        if (grant < window / 2) {
            return 0;
        }
        granted += grant;
        credit += grant;
        return grant;
    }
}
