package org.lrwp.engine.peer.multiplexed;

import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.time.SharedDeadline;
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
    private final SharedDeadline deadline;
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
        this.deadline =
                new SharedDeadline(
                        environment.deadlines(),
                        LEAST_NANOS,
                        () -> connection.execute(this::check));
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

    /** Bytes have come. */
    void heard() {
        heardAt = environment.clock().nanos();
        heardCount++;
        pinged = false;
    }

    long bytesHeard() {
        return heardCount;
    }

    /** The peer takes no bytes at present, or takes them again. */
    void blocked(boolean now) {
        blocked = now;
        if (now) {
            // Each call follows bytes that were taken, or is the first.
            blockedSince = environment.clock().nanos();
            watch(sendNanos, blockedSince);
        }
    }

    /** Looks again so many nanoseconds after a moment, or before. */
    void watch(long left, long now) {
        deadline.within(left, now);
    }

    private void check() {
        if (closed) {
            return;
        }
        long now = environment.clock().nanos();
        if (lifeTimed && lifeUntil - now <= 0) {
            lifeOver();
        } else if (blocked
                && blockedSince + sendNanos - now <= 0
                && !connection.writer().takesSome()) {
            connection.leave(
                    System.Logger.Level.WARNING,
                    "peer takes no bytes",
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
        long now = environment.clock().nanos();
        watch(lifeTimed ? lifeUntil - now : SharedDeadline.NEVER, now);
        watch(blocked ? blockedSince + sendNanos - now : SharedDeadline.NEVER, now);
        watch(
                pings() && connection.state().isListening()
                        ? silenceLeft(now)
                        : SharedDeadline.NEVER,
                now);
        for (PeerStream stream : connection.streams().all()) {
            watch(stream.call().left(now), now);
        }
    }

    /** Nothing more is watched; false when that was so before. */
    boolean close() {
        deadline.close();
        boolean was = closed;
        closed = true;
        return !was;
    }
}
