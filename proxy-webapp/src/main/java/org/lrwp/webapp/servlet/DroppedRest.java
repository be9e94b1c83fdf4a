package org.lrwp.webapp.servlet;

import java.time.Duration;

/**
 * The rest of a request that has been answered before its end: it is read and dropped, so that it
 * is not taken for the next request and the client gets to read the answer. It ends with the
 * request, at a limit of octets, or when the client is silent.
 */
final class DroppedRest {
    /** How long the client may be silent. */
    private static final Duration LAST_SILENCE = Duration.ofSeconds(2);

    private static final long NOT_BEGUN = -1;

    private final Upload upload;
    private final ClientSettings settings;
    private final Turns turns;
    private volatile long limit = NOT_BEGUN;
    private volatile boolean silent;
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
        if (!over && !silent && isWanted()) {
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

    /** Watches a client that does not send the rest of its request. */
    private final class Silence {
        private long seen = -1;
        private long since = settings.clock().nanos();

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
            if (now - since < LAST_SILENCE.toNanos()) {
                return true;
            }
            silent = true;
            turns.ask();
            return false;
        }
    }
}
