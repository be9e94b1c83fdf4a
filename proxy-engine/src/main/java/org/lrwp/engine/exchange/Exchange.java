package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.spool.Handover;
import org.lrwp.engine.spool.NoSpaceException;
import org.lrwp.engine.spool.Spool;

import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * One request on its way. Its states are drawn at {@link ExchangeState}.
 *
 * <p>Purpose: whatever front, context, slot and deadlines do at the same time, the client gets
 * exactly one answer or one clear error. Design: every step is taken under one lock, and what
 * follows from it (calls to the client, the context, the slot) is done after the lock is given
 * back. Ordering promises: the events of one slot come from one thread at a time; those of an
 * attempt that is over have no effect.
 *
 * <p>Thread-safe; no method blocks, but for the disk under a large body.
 */
public final class Exchange {
    private final ExchangeRequest request;
    private final ExchangeConfig config;
    private final ExchangeEnvironment environment;
    private final Dispatcher context;
    private final Client client;
    private final RequestBody body;
    private final RequestTrace trace;
    private final ExchangeJournal journal; // its monitor is the lock
    private final Tries tries;
    private final Runnable spaceFault = this::failWithoutSpace;
    private final OpenExchanges.Place place = new OpenExchanges.Place();
    private volatile ExchangeState state = ExchangeState.RECEIVING;
    private @Nullable Attempt attempt;

    /**
     * Opens an exchange.
     *
     * @param request what is asked
     * @param config the limits of its context
     * @param environment what it shares with all others
     * @param context who finds peers for it
     * @param client who gets the answer
     */
    public Exchange(
            ExchangeRequest request,
            ExchangeConfig config,
            ExchangeEnvironment environment,
            Dispatcher context,
            Client client) {
        this.request = request;
        this.config = config;
        this.environment = environment;
        this.context = context;
        this.client = client;
        this.trace = request.envBlock().trace();
        this.journal = new ExchangeJournal(request, context.contextName(), environment.clock());
        this.body = new RequestBody(this, config, environment);
        this.tries = new Tries(journal.sinceNanos(), config.queueTime());
    }

    // ---- The front: the request comes in.

    /**
     * Returns where the front puts the request's body. A request without one says at once that it
     * is {@link RequestBody#whole}.
     *
     * @return the body on its way in
     */
    public RequestBody body() {
        return body;
    }

    /** The head is whole and a body follows: a peer that wants it as it comes may have it now. */
    void bodyFollows() {
        context.offer(this);
    }

    void bodyWhole() {
        boolean moved;
        synchronized (journal) {
            if (state != ExchangeState.RECEIVING) {
                return;
            }
            step(ExchangeState.QUEUED);
            moved = tries.moves() > 0;
            if (!moved) {
                tries.waitsSince(journal.sinceNanos());
            }
        }
        if (moved) {
            context.resubmit(this);
        } else {
            trace.queued();
            context.submit(this);
        }
    }

    // ---- The context: a slot is found or not.

    /**
     * Gives the exchange to a slot.
     *
     * @param slot a slot that is claimed for it
     * @return the attempt the slot is to make; null when the exchange has ended or found another
     *     slot meanwhile, and the slot is free again
     */
    public @Nullable Attempt assign(Slot slot) {
        Attempt next = assignNow(slot);
        if (next != null) {
            trace.sent(slot);
        }
        return next;
    }

    private @Nullable Attempt assignNow(Slot slot) {
        synchronized (journal) {
            boolean early = state == ExchangeState.RECEIVING && slot.isStreaming();
            if (state != ExchangeState.QUEUED && !early) {
                return null;
            }
            if (early) {
                body.stream();
            }
            step(ExchangeState.SENT);
            attempt = new Attempt(this, config, environment, slot, client);
            return attempt;
        }
    }

    /**
     * A peer of the context takes what the client offers: from now on only such a peer may have it.
     *
     * @return false when there are too many tunnels, and the exchange has failed
     */
    public boolean upgrade() {
        tries.upgrade();
        boolean room = environment.end().hasTunnelRoom();
        if (!room) {
            fail(Failure.TOO_MANY_TUNNELS);
        }
        return room;
    }

    /**
     * Returns how long it has waited for a slot, and who must not get it again.
     *
     * @return may be asked by any thread
     */
    public Tries tries() {
        return tries;
    }

    /**
     * Ends the exchange without an answer, or cuts an answer that has begun.
     *
     * @param failure why; without effect when the exchange is over
     */
    public void fail(Failure failure) {
        act(() -> state.isOver() ? Exchange::nothing : failNow(failure));
    }

    /**
     * Ends the exchange if it is still waiting for a slot: one that has been sent, perhaps in this
     * moment, goes on.
     *
     * @param failure why
     */
    public void failWaiting(Failure failure) {
        act(() -> state == ExchangeState.QUEUED ? failNow(failure) : Exchange::nothing);
    }

    /** Has it failed when memory or disk is used up. */
    Runnable spaceFault() {
        return spaceFault;
    }

    /**
     * Memory or disk is used up. What a peer may have done must not look as if it could be sent
     * again.
     */
    private void failWithoutSpace() {
        act(
                () -> {
                    if (state.isOver()) {
                        return Exchange::nothing;
                    }
                    boolean atPeer =
                            state != ExchangeState.RECEIVING && state != ExchangeState.QUEUED;
                    return failNow(atPeer ? Failure.SPACE_RAN_OUT : Failure.NO_SPACE);
                });
    }

    private Runnable failNow(Failure failure) {
        Attempt last = attempt;
        boolean begun = state.hasBegun();
        boolean waiting = state == ExchangeState.QUEUED;
        boolean somebodyThere = failure.status() != 0;
        boolean refuses = !begun && somebodyThere;
        step(ExchangeState.FAILED);
        ExchangeRecord record =
                record(begun ? ExchangeJournal.statusOf(last) : failure.status(), failure);
        return () -> {
            environment.end().failing();
            try {
                tell(refuses ? record.sending(client.errorBytes(failure)) : record);
                if (waiting) {
                    context.withdraw(this);
                }
                leave(last);
                if (last != null && begun && somebodyThere) {
                    last.breakAnswer();
                } else if (last != null) {
                    last.closeAnswer();
                }
                if (refuses) {
                    client.fail(failure);
                } else if (!begun) {
                    client.abandoned();
                }
            } finally {
                // Not before: a proxy that goes down waits for errors that are on their way.
                environment.end().failed();
            }
        };
    }

    // ---- The attempt: what becomes of the request at the peer.

    /** Whether the events of an attempt still count for the client. */
    boolean listensTo(Attempt one) {
        synchronized (journal) {
            return attempt == one && !one.isOver() && !state.isOver();
        }
    }

    /** Whether bytes of the body are still wanted. */
    boolean takesBody() {
        synchronized (journal) {
            Attempt now = attempt;
            return switch (state) {
                case RECEIVING -> true;
                case SENT, ANSWERING, TUNNEL -> now != null && !now.isOver();
                case QUEUED, DONE, FAILED -> false;
            };
        }
    }

    /** The present attempt is over; without effect when it was over before. */
    void over(Attempt one) {
        boolean last;
        synchronized (journal) {
            last = endOf(one) && state.isOver();
        }
        if (last) {
            closeBoth(one);
        }
    }

    /** Books the end of the present attempt, under the lock; false when it was over before. */
    private boolean endOf(Attempt one) {
        if (attempt != one || one.isOver()) {
            return false;
        }
        one.over();
        if (state.hasBegun()) {
            journal.peerDone();
        }
        return true;
    }

    private void closeBoth(Attempt one) {
        body.close();
        one.closeAnswer();
        if (state == ExchangeState.FAILED) {
            client.abandoned();
        }
    }

    /** Starts the answer to the client, if it has not started. */
    void start(Attempt one) {
        AnswerHead head = one.head();
        Spool answer = one.answer();
        synchronized (journal) {
            if (attempt != one || state != ExchangeState.SENT || head == null || answer == null) {
                return;
            }
            step(ExchangeState.ANSWERING);
        }
        tellTag(one);
        client.answer(head, answer);
    }

    /** Where the client's next requests are to go, when its context cares. */
    private void tellTag(Attempt one) {
        String tag = context.tagFor(one.slot().instance(), request.sticky());
        if (!tag.isEmpty()) {
            client.sticksTo(tag);
        }
    }

    /** Who follows the request. */
    RequestTrace trace() {
        return trace;
    }

    /**
     * The peer has accepted: the client's connection becomes a tunnel, if there may be one more.
     */
    void open(Attempt one, AnswerHead head, Tunnel tunnel) {
        act(
                () -> {
                    if (attempt != one || one.isOver() || state != ExchangeState.SENT) {
                        return Exchange::nothing;
                    } else if (!environment.end().opensTunnel(this)) {
                        return failNow(Failure.TOO_MANY_TUNNELS);
                    }
                    step(ExchangeState.TUNNEL);
                    tunnel.open();
                    return () -> {
                        tellTag(one);
                        tunnel.to(client.upgrade(head, tunnel));
                    };
                });
    }

    /** Decides what becomes of the request when the peer of its present attempt failed. */
    void failed(Attempt one, Failure failure, Progress progress) {
        // A peer that had left before it could begin has not answered badly.
        if (failure.isOfPeer() && progress.compareTo(Progress.MAY_HAVE_STARTED) >= 0) {
            tried(one, false);
        }
        afterEnd(one, () -> failedNow(one, failure, progress));
    }

    /**
     * Ends the present attempt, and says in the same step what is next, so that bytes of the body
     * that come meanwhile are wanted; without effect when it was over before.
     */
    private void afterEnd(Attempt one, Supplier<Runnable> next) {
        act(
                () -> {
                    if (!endOf(one)) {
                        return Exchange::nothing;
                    }
                    return state.isOver() ? () -> closeBoth(one) : next.get();
                });
    }

    /** Books for the health of its peer what has become of an attempt. */
    void tried(Attempt one, boolean good) {
        context.tried(one.slot().instance(), good);
    }

    private Runnable failedNow(Attempt one, Failure failure, Progress progress) {
        tries.ended(progress, one.slot().instance());
        boolean begun = state.hasBegun();
        boolean again = request.isIdempotent() && tries.starts() < Tries.MOST_STARTS;
        var decision = FailureDecision.of(failure, progress, again, begun);
        boolean moves = decision == FailureDecision.ELSEWHERE && body.startAgain();
        return moves ? moveNow(failure) : failNow(failure);
    }

    /**
     * The slot had no room for it after all, and nobody has seen it: it waits on, as if it had not
     * been sent. That is no move.
     */
    void notTaken(Attempt one) {
        afterEnd(one, () -> body.startAgain() ? waitOn() : failNow(Failure.NO_PEER));
    }

    private Runnable waitOn() {
        step(ExchangeState.QUEUED);
        return () -> context.resubmit(this);
    }

    private Runnable moveNow(Failure why) {
        if (!tries.move()) {
            return failNow(Failure.MOVED_TOO_OFTEN);
        }
        boolean whole = body.isWhole();
        step(whole ? ExchangeState.QUEUED : ExchangeState.RECEIVING);
        Attempt last = attempt;
        return () -> {
            trace.retried(why);
            environment.end().retried(context.contextName(), why);
            if (last != null) {
                last.closeAnswer();
            }
            body.signalRoom();
            if (whole) {
                context.resubmit(this);
            } else {
                context.offer(this);
            }
        };
    }

    // ---- The front: the answer goes out.

    /** The client has its whole answer. */
    public void delivered() {
        Attempt last;
        boolean goesOn;
        ExchangeRecord record;
        synchronized (journal) {
            last = attempt;
            if (!state.hasBegun() || last == null) {
                return;
            }
            // What the client has sent last through a tunnel, and its end, may be under way.
            goesOn = state == ExchangeState.TUNNEL && !last.isOver();
            step(ExchangeState.DONE);
            record = record(ExchangeJournal.statusOf(last), null);
        }
        tell(record);
        if (!goesOn) {
            last.closeAnswer();
            leave(last);
        }
    }

    /**
     * The client cannot be given its answer, or its connection has been cut.
     *
     * @param why {@link Failure#CLIENT_GONE} or {@link Failure#CLIENT_STALLED}
     */
    public void clientGone(Failure why) {
        act(() -> state.isOver() ? closing(attempt) : failNow(why));
    }

    private static Runnable closing(@Nullable Attempt last) {
        return last == null ? Exchange::nothing : last::closeAnswer;
    }

    /** Lets go of the request: at once, or when the slot that has it is done with it. */
    private void leave(@Nullable Attempt last) {
        if (last == null || last.isOver()) {
            body.close();
        } else {
            last.slot().cancel();
        }
    }

    // ---- Views.

    /**
     * Returns what is asked.
     *
     * @return the request
     */
    public ExchangeRequest request() {
        return request;
    }

    /**
     * Returns the present state.
     *
     * @return the state; it may change at any moment
     */
    public ExchangeState state() {
        return state;
    }

    /**
     * Returns a line for status.
     *
     * @return the exchange as it is now
     */
    public ExchangeStatus status() {
        synchronized (journal) {
            return journal.status(state, attempt);
        }
    }

    OpenExchanges.Place place() {
        return place;
    }

    String contextName() {
        return context.contextName();
    }

    private static void nothing() {}

    /** Keeps bytes of a body, whichever way it goes; false when there is no space, and it fails. */
    boolean keep(Spool spool, ByteBuffer bytes, Handover how) {
        try {
            spool.append(bytes, how);
            return true;
        } catch (NoSpaceException e) {
            System.getLogger(Exchange.class.getName())
                    .log(System.Logger.Level.WARNING, "spool-full reason={0}", e.getMessage());
            failWithoutSpace();
            return false;
        }
    }

    private void act(Supplier<Runnable> step) {
        Runnable after;
        synchronized (journal) {
            after = step.get();
        }
        after.run();
    }

    private void step(ExchangeState next) {
        journal.leave(state, next);
        state = state.to(next);
    }

    private ExchangeRecord record(int status, @Nullable Failure failure) {
        return journal.record(attempt, status, failure, body.spool().size(), tries.moves());
    }

    private void tell(ExchangeRecord record) {
        context.ended(record);
        environment.end().ended(this, record);
    }
}
