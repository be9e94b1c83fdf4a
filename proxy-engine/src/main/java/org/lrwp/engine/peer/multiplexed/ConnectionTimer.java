package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.engine.peer.PeerCall;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.time.Deadlines.Deadline;
import org.lrwp.protocol.frame.Frames;

import java.time.Duration;

/**
 * Watches the time of one LRWP 3 connection: its greeting, its silence, a peer that takes nothing,
 * streams that are late, and its end. One timer serves all. The link's loop only.
 */
final class ConnectionTimer {
    private static final long LINGER_NANOS = 1_000_000_000L;

    /** Streams that become late one after the other are looked at together. */
    private static final long LEAST_NANOS = 20_000_000L;

    private final Lrwp3Connection connection;
    private final PeerEnvironment environment;
    private final long greetingNanos;
    private final long pingNanos;
    private final long sendNanos;
    private @Nullable Deadline deadline;
    private long armedFor;
    private long lifeUntil;
    private boolean lifeTimed;
    private long blockedSince;
    private boolean blocked;
    private long heardAt;
    private long heardCount;
    private boolean pinged;
    private boolean closed;

    ConnectionTimer(
            Lrwp3Connection connection,
            Lrwp3Config config,
            PeerEnvironment environment,
            PeerConfig limits) {
        this.connection = connection;
        this.environment = environment;
        this.greetingNanos = config.greetingTime().toNanos();
        this.pingNanos = Duration.ofSeconds(config.settings().pingSeconds()).toNanos();
        this.sendNanos = limits.sendTime().toNanos();
    }

    /** The greeting is due. */
    void start() {
        heardAt = environment.clock().nanos();
        setLife(greetingNanos);
    }

    /** The greeting has come. */
    void opened() {
        lifeTimed = false;
        if (pings()) {
            watch(pingNanos, environment.clock().nanos());
        }
    }

    private boolean pings() {
        return pingNanos > 0 && connection.peer().ping();
    }

    /** The last frame is on its way: the peer has a second to read it. */
    void ending() {
        setLife(LINGER_NANOS);
    }

    private void setLife(long nanos) {
        long now = environment.clock().nanos();
        lifeUntil = now + nanos;
        lifeTimed = true;
        watch(nanos, now);
    }

    /** Octets have come. */
    void heard() {
        heardAt = environment.clock().nanos();
        heardCount++;
        pinged = false;
    }

    long octetsHeard() {
        return heardCount;
    }

    /** The peer takes no octets at present, or takes them again. */
    void blocked(boolean now) {
        blocked = now;
        if (now) {
            // Each call follows octets that were taken, or is the first.
            blockedSince = environment.clock().nanos();
            watch(sendNanos, blockedSince);
        }
    }

    /** Looks again so many nanoseconds after a moment, or before. */
    void watch(long left, long now) {
        if (closed || left == PeerCall.NEVER) {
            return;
        }
        long delay = Math.max(left, LEAST_NANOS);
        long due = now + delay;
        Deadline old = deadline;
        if (old != null) {
            if (armedFor - due <= 0) {
                return;
            }
            old.cancel();
        }
        armedFor = due;
        deadline = environment.deadlines().after(delay, () -> connection.execute(this::check));
    }

    private void check() {
        if (closed) {
            return;
        }
        deadline = null;
        long now = environment.clock().nanos();
        if (lifeTimed && lifeUntil - now <= 0) {
            lifeOver();
        } else if (blocked
                && blockedSince + sendNanos - now <= 0
                && !connection.writer().takesSome()) {
            connection.leave(
                    System.Logger.Level.WARNING,
                    "peer takes no octets",
                    Failure.PEER_STALLED,
                    false);
        } else {
            checkSilence(now);
            checkStreams();
        }
        arm();
    }

    private void lifeOver() {
        if (connection.state() == Lrwp3State.GREETING) {
            lifeTimed = false;
            connection.end("no SETTINGS in time", System.Logger.Level.WARNING, Failure.PEER_GONE);
        } else {
            connection.leave(System.Logger.Level.DEBUG, "ended", Failure.PEER_GONE, false);
        }
    }

    private void checkSilence(long now) {
        if (!pings() || !connection.state().isListening() || silenceLeft(now) > 0) {
            return;
        }
        if (pinged) {
            connection.leave(
                    System.Logger.Level.WARNING,
                    "peer does not answer PING",
                    Failure.PEER_GONE,
                    false);
        } else {
            pinged = true;
            connection.out().addUrgent(OutFrame.of(Frames.ping(now)));
            connection.flushSoon();
        }
    }

    private long silenceLeft(long now) {
        return heardAt + (pinged ? 2 * pingNanos : pingNanos) - now;
    }

    private void checkStreams() {
        for (PeerStream stream : connection.streams().all()) {
            stream.call().late();
        }
    }

    private void arm() {
        if (closed) {
            return;
        }
        long now = environment.clock().nanos();
        watch(lifeTimed ? lifeUntil - now : PeerCall.NEVER, now);
        watch(blocked ? blockedSince + sendNanos - now : PeerCall.NEVER, now);
        watch(pings() && connection.state().isListening() ? silenceLeft(now) : PeerCall.NEVER, now);
        long next = PeerCall.NEVER;
        for (PeerStream stream : connection.streams().all()) {
            next = Math.min(next, stream.call().left(now));
        }
        watch(next, now);
    }

    /** Nothing more is watched; false when that was so before. */
    boolean close() {
        Deadline old = deadline;
        if (old != null) {
            old.cancel();
        }
        boolean was = closed;
        closed = true;
        return !was;
    }
}
