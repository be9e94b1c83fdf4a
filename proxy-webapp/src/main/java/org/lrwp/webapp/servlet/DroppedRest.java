package org.lrwp.webapp.servlet;

import java.time.Duration;

/**
 * The rest of a request that has been answered before its end: it is read and dropped, so that it
 * is not taken for the next request and the client gets to read the answer. It ends with the
 * request, at a limit of octets, at the end of its time, or when the client is silent.
 */
final class DroppedRest {
    /** How long the client may be silent. */
    private static final Duration LAST_SILENCE = Duration.ofSeconds(2);

    private static final long NOT_BEGUN = -1;

    private final Upload upload;
    private final ClientSettings settings;
    private final Turns turns;
    private volatile long limit = NOT_BEGUN;
    private volatile boolean slow;
    private volatile boolean dropping;
    private volatile boolean ended;

    DroppedRest(Upload upload, ClientSettings settings, Turns turns) {
        this.upload = upload;
        this.settings = settings;
        this.turns = turns;
    }

    /** Sets the limit from here on and begins to watch for silence; once. */
    void begin() {
        if (limit != NOT_BEGUN) {
            return;
        }
        limit = upload.octets() + settings.config().dropLimit();
        settings.stalls().add(new Silence()::lasts);
    }

    /** Whether it goes on; when it does not and the container would wait on, the link is cut. */
    boolean goesOn(ClientLink link) {
        boolean over = upload.isOver();
        dropping = true;
        if (!over && !slow && isWanted()) {
            return true;
        }
        if (!over) {
            link.cut(false);
        }
        ended = true;
        return false;
    }

    /** Whether more octets are taken; any thread may ask. */
    boolean isWanted() {
        long most = limit;
        return !ended && (most == NOT_BEGUN || upload.octets() <= most);
    }

    /** Watches a client that does not send the rest of its request, or dribbles it. */
    private final class Silence {
        private long seen = -1;
        private long since = settings.clock().nanos();
        private long answered = since;

        boolean lasts() {
            long now = settings.clock().nanos();
            long octets = upload.octets();
            if (octets != seen) {
                seen = octets;
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
            turns.ask();
            return false;
        }
    }
}
