package org.lrwp.webapp.client;

import java.time.Duration;

/**
 * The rest of a request that has been answered before its end: it is read and dropped, so that it
 * is not taken for the next request and the client gets to read the answer. It ends with the
 * request, at a limit of bytes, at the end of its time, or when the client is silent.
 */
final class BodyDiscard {
    /** How long the client may be silent. */
    private static final Duration LAST_SILENCE = Duration.ofSeconds(2);

    private static final long NOT_BEGUN = -1;

    private final BodyRelay body;
    private final ClientSettings settings;
    private final Runnable turn;
    private volatile long limit = NOT_BEGUN;
    private volatile boolean slow;
    private volatile boolean dropping;
    private volatile boolean ended;

    BodyDiscard(BodyRelay body, ClientSettings settings, Runnable turn) {
        this.body = body;
        this.settings = settings;
        this.turn = turn;
    }

    /** Sets the limit from here on and begins to watch for silence; once. */
    void begin() {
        if (limit != NOT_BEGUN) {
            return;
        }
        limit = body.received() + settings.config().dropLimit();
        settings.stalls().add(new Silence()::lasts);
    }

    /**
     * Whether it goes on; when it does not and the container would wait on, the connection is cut.
     */
    boolean goesOn(ClientStream stream) {
        boolean over = body.isOver();
        dropping = true;
        if (!over && !slow && isWanted()) {
            return true;
        }
        if (!over) {
            stream.cut(false);
        }
        ended = true;
        return false;
    }

    /** Whether more bytes are taken; any thread may ask. */
    boolean isWanted() {
        long most = limit;
        return !ended && (most == NOT_BEGUN || body.received() <= most);
    }

    /** Watches a client that does not send the rest of its request, or dribbles it. */
    private final class Silence {
        private long seen = -1;
        private long since = settings.clock().nanos();
        private long answered = since;

        boolean lasts() {
            long now = settings.clock().nanos();
            long bytes = body.received();
            if (bytes != seen) {
                seen = bytes;
                since = now;
            }
            if (ended) {
                return false;
            }
            if (!dropping) {
                answered = now;
            }
            if (now - since < LAST_SILENCE.toNanos()
                    && now - answered < settings.config().client().restTime().toNanos()) {
                return true;
            }
            slow = true;
            turn.run();
            return false;
        }
    }
}
