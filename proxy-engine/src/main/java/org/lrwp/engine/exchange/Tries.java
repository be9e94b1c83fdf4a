package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The tries of one request: since when it waits, how often it may have been started, how often it
 * has moved, who refused it, and whether only a peer that takes its upgrade may have it. Changed
 * under the exchange's lock, or by the one slot that has it; the public views may be asked by any
 * thread.
 */
public final class Tries {
    /** How often an idempotent request may be started. */
    static final int MOST_STARTS = 2;

    private static final int MOST_MOVES = 5;

    private final Duration queueTime;
    private volatile long since;
    private int starts;
    private int moves;
    private volatile List<Object> refusals = List.of();
    private volatile boolean upgrade;
    private volatile boolean stays;
    private volatile @Nullable Object startedAt;
    private volatile boolean mayReturn;
    private volatile @Nullable Object home;

    Tries(long now, Duration queueTime) {
        since = now;
        this.queueTime = queueTime;
    }

    /** The first wait for a slot begins. */
    void waitsSince(long now) {
        since = now;
    }

    /** Books a try that ended without an answer, at one process. */
    void ended(Progress progress, Object instance) {
        if (progress.compareTo(Progress.MAY_HAVE_STARTED) >= 0) {
            starts++;
            startedAt = instance;
            mayReturn = false;
            home = null;
        }
    }

    int starts() {
        return starts;
    }

    /** Who had the request has started it as often as may be. */
    void startedEnough() {
        starts = MOST_STARTS;
    }

    /** Books one more move; false when there have been too many. */
    boolean move() {
        if (moves == MOST_MOVES) {
            return false;
        }
        moves++;
        return true;
    }

    int moves() {
        return moves;
    }

    /** From now on only a peer that takes what the client offers may have it. */
    void upgrade() {
        upgrade = true;
    }

    /**
     * Says whether only a peer that takes what the client offers may have the request.
     *
     * @return false when it is an ordinary request, whatever its client offers
     */
    public boolean isUpgrade() {
        return upgrade;
    }

    /** It has come from another proxy: it does not go on to a third one. */
    public void stay() {
        stays = true;
    }

    /**
     * Says whether another proxy may have the request: nothing has happened to it yet.
     *
     * @return false for an upgrade, for one that a peer may have started or has refused, and after
     *     {@link #stay()}
     */
    public boolean mayLeave() {
        return !stays && !upgrade && startedAt == null && refusals.isEmpty();
    }

    /**
     * The process that its client comes back to gets it, while it is there. Without effect on a
     * request that a peer may have started or has refused.
     *
     * @param instance see {@link Slot#instance()}
     */
    public void staysAt(Object instance) {
        if (startedAt == null && refusals.isEmpty()) {
            home = instance;
        }
    }

    /** Any process may have it from now on. */
    public void leavesHome() {
        home = null;
    }

    /**
     * Returns the process that its client comes back to.
     *
     * @return see {@link Slot#instance()}; null when any may have it
     */
    public @Nullable Object home() {
        return home;
    }

    /** The tunnel that a request becomes when its peer accepts; null for an ordinary one. */
    @Nullable Tunnel tunnel(ExchangeRequest request) {
        return upgrade ? new Tunnel(request.upgrades()) : null;
    }

    /**
     * Says whether a process may have started the request and then lost its connection: all its
     * connections may be about to end.
     *
     * @param instance see {@link Slot#instance()}
     * @return whether it was the last one that may have started it
     */
    public boolean isStartedAt(Object instance) {
        return instance.equals(startedAt);
    }

    /**
     * Says whether any process may have started the request.
     *
     * @return true from the first loss of a started request on
     */
    public boolean isStarted() {
        return startedAt != null;
    }

    /** The process that may have started the request may have it again, if there is no other. */
    public void allowReturn() {
        mayReturn = true;
    }

    /**
     * Says whether the process that may have started the request may have it again.
     *
     * @return true from {@link #allowReturn()} on
     */
    public boolean mayReturn() {
        return mayReturn;
    }

    void refusedBy(Object connection) {
        List<Object> more = new ArrayList<>(refusals);
        more.add(connection);
        refusals = List.copyOf(more);
        home = null;
    }

    /**
     * Returns the moment from which on the request waits; a move does not change it.
     *
     * @return in nanoseconds of the engine's clock
     */
    public long sinceNanos() {
        return since;
    }

    /**
     * Returns the moment up to which the request may wait.
     *
     * @return in nanoseconds of the engine's clock
     */
    public long deadlineNanos() {
        return since + queueTime.toNanos();
    }

    /**
     * Says whether any peer has refused the request.
     *
     * @return true after the first refusal
     */
    public boolean isRefused() {
        return !refusals.isEmpty();
    }

    /**
     * Says whether a connection must not get the request again.
     *
     * @param connection see {@link Slot#connection()}
     * @return whether its peer has refused the request
     */
    public boolean isRefusedBy(Object connection) {
        // Connections are equal to themselves only.
        return refusals.contains(connection);
    }
}
