package org.lrwp.engine.peer;

/** When a stream is late, counted from the last byte that moved on it. The link's loop only. */
final class StreamTime {
    /** What a stream waits for. */
    enum Wait {
        /** For nothing that has a time of its own. */
        NOTHING,
        /** For the peer to answer. */
        ANSWER,
        /** For the peer to grant window to the request. */
        WINDOW,
        /** For a byte in a tunnel. */
        BYTE
    }

    private final PeerConfig limits;
    private long last;

    StreamTime(PeerConfig limits, long now) {
        this.limits = limits;
        this.last = now;
    }

    PeerConfig limits() {
        return limits;
    }

    /** Something has moved; returns the moment. */
    long progress(long now) {
        last = now;
        return now;
    }

    /** Nanoseconds until it is late; {@link ConnectionTimer#NEVER} where nothing is awaited. */
    long left(Wait wait, long now) {
        long nanos =
                switch (wait) {
                    case NOTHING -> 0;
                    case ANSWER -> limits.responseTime().toNanos();
                    case WINDOW -> limits.sendTime().toNanos();
                    case BYTE -> limits.idleTime().toNanos();
                };
        return nanos == 0 ? ConnectionTimer.NEVER : last + nanos - now;
    }
}
