package org.lrwp.engine.peer;

import org.lrwp.engine.exchange.Failure;

import java.time.Duration;

/** What a call waits for, and what its end is when that does not come in time. */
public enum CallWait {
    /** For nothing that has a time of its own. */
    NOTHING("", Failure.PEER_TIMEOUT),
    /** For the peer to answer. */
    ANSWER("no answer in time", Failure.PEER_TIMEOUT),
    /** For the peer to grant window to the request. */
    WINDOW("no window in time", Failure.PEER_STALLED),
    /** For the module to take the body. */
    BODY("the body was not taken in time", Failure.PEER_STALLED),
    /** For a byte in a tunnel. */
    BYTE("nothing was sent for too long", Failure.TUNNEL_IDLE);

    private final String late;
    private final Failure failure;

    CallWait(String late, Failure failure) {
        this.late = late;
        this.failure = failure;
    }

    /** What the peer is told when it is late. */
    String late() {
        return late;
    }

    /** What the client is told. */
    Failure failure() {
        return failure;
    }

    /** How long it may take; 0 = for ever. */
    Duration limit(PeerConfig limits) {
        return switch (this) {
            case NOTHING -> Duration.ZERO;
            case ANSWER -> limits.responseTime();
            case WINDOW, BODY -> limits.sendTime();
            case BYTE -> limits.idleTime();
        };
    }
}
