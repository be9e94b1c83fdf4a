package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.spool.Spool;
import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
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
    private static final int MOST_MOVES = 5;

    private final ExchangeRequest request;
    private final ExchangeConfig config;
    private final ExchangeEnvironment environment;
    private final Dispatcher context;
    private final Client client;
    private final RequestBody body;
    private final ExchangeJournal journal;
    private final ReentrantLock lock = new ReentrantLock();
    private ExchangeState state = ExchangeState.RECEIVING;
    private @Nullable Attempt attempt;
    private volatile @Nullable ByteBuffer frameHead;
    private volatile long deadline;
    private int starts;
    private int moves;

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
        this.journal = new ExchangeJournal(request, context.contextName(), environment.clock());
        this.body = new RequestBody(this, config, environment);
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

    void bodyWhole() {
        ByteBuffer encoded;
        try {
            encoded = request.envBlock().encode(body.spool().size());
        } catch (MalformedFrameException e) {
            fail(Failure.HEAD_TOO_LARGE);
            return;
        }
        act(
                () -> {
                    if (state != ExchangeState.RECEIVING) {
                        return Exchange::nothing;
                    }
                    frameHead = encoded;
                    deadline = environment.clock().nanos() + config.queueTime().toNanos();
                    step(ExchangeState.QUEUED);
                    return () -> context.submit(this);
                });
    }

    // ---- The context: a slot is found or not.

    /**
     * Gives the exchange to a slot.
     *
     * @param slot a slot that is claimed for it
     * @return the attempt the slot is to make; null when the exchange has ended meanwhile, and the
     *     slot is free again
     */
    public @Nullable Attempt assign(Slot slot) {
        lock.lock();
        try {
            if (state != ExchangeState.QUEUED) {
                return null;
            }
            step(ExchangeState.SENT);
            attempt = new Attempt(this, config, environment, slot);
            return attempt;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the moment up to which the exchange may wait for a slot.
     *
     * @return in nanoseconds of the engine's clock; set once the body is whole
     */
    public long deadlineNanos() {
        return deadline;
    }

    /**
     * Ends the exchange without an answer, or cuts an answer that has begun.
     *
     * @param failure why; without effect when the exchange is over
     */
    public void fail(Failure failure) {
        act(() -> state.isOver() ? Exchange::nothing : failNow(failure));
    }

    private Runnable failNow(Failure failure) {
        Attempt last = attempt;
        boolean cut = state == ExchangeState.ANSWERING;
        step(ExchangeState.FAILED);
        ExchangeRecord record =
                record(cut && last != null ? last.status() : failure.status(), failure);
        return () -> {
            tell(record);
            leave(last);
            if (cut && last != null) {
                last.breakAnswer();
            } else {
                if (last != null) {
                    last.closeAnswer();
                }
                client.fail(failure);
            }
        };
    }

    // ---- The attempt: what becomes of the request at the peer.

    ByteBuffer frameHead() {
        ByteBuffer head = frameHead;
        if (head == null) {
            throw new IllegalStateException("the body is not whole");
        }
        return head.duplicate();
    }

    /** Whether the events of an attempt still count for the client. */
    boolean listensTo(Attempt one) {
        lock.lock();
        try {
            return attempt == one && !one.isOver() && !state.isOver();
        } finally {
            lock.unlock();
        }
    }

    /** Marks the present attempt as over; false when it was over before. */
    boolean over(Attempt one) {
        boolean closeBody;
        lock.lock();
        try {
            if (attempt != one || one.isOver()) {
                return false;
            }
            one.over();
            if (state == ExchangeState.ANSWERING) {
                journal.peerDone();
            }
            closeBody = state.isOver();
        } finally {
            lock.unlock();
        }
        if (closeBody) {
            body.spool().close();
            one.closeAnswer();
        }
        return true;
    }

    /** Starts the answer to the client, if it has not started. */
    void start(Attempt one) {
        act(
                () -> {
                    AnswerHead head = one.head();
                    Spool answer = one.answer();
                    if (attempt != one
                            || state != ExchangeState.SENT
                            || head == null
                            || answer == null) {
                        return Exchange::nothing;
                    }
                    step(ExchangeState.ANSWERING);
                    return () -> client.answer(head, answer);
                });
    }

    /** Decides what becomes of the request when its peer failed. */
    void failed(Failure failure, Progress progress) {
        act(
                () -> {
                    if (state.isOver()) {
                        return Exchange::nothing;
                    }
                    if (progress.compareTo(Progress.MAY_HAVE_STARTED) >= 0) {
                        starts++;
                    }
                    boolean begun = state == ExchangeState.ANSWERING;
                    var decision =
                            FailureDecision.of(
                                    failure, progress, request.isIdempotent(), starts, begun);
                    return decision == FailureDecision.ELSEWHERE ? moveNow() : failNow(failure);
                });
    }

    private Runnable moveNow() {
        if (moves == MOST_MOVES) {
            return failNow(Failure.MOVED_TOO_OFTEN);
        }
        moves++;
        step(ExchangeState.QUEUED);
        Attempt last = attempt;
        return () -> {
            if (last != null) {
                last.closeAnswer();
            }
            body.spool().rewind();
            context.resubmit(this);
        };
    }

    // ---- The front: the answer goes out.

    /** The client has its whole answer. */
    public void delivered() {
        act(
                () -> {
                    Attempt last = attempt;
                    if (state != ExchangeState.ANSWERING || last == null) {
                        return Exchange::nothing;
                    }
                    step(ExchangeState.DONE);
                    ExchangeRecord record = record(last.status(), null);
                    return () -> {
                        tell(record);
                        last.closeAnswer();
                        leave(last);
                    };
                });
    }

    /**
     * The client cannot be given its answer, or its connection has been cut.
     *
     * @param why {@link Failure#CLIENT_GONE} or {@link Failure#CLIENT_STALLED}
     */
    public void clientGone(Failure why) {
        act(
                () -> {
                    Attempt last = attempt;
                    if (state.isOver()) {
                        return last == null ? Exchange::nothing : last::closeAnswer;
                    }
                    boolean waiting = state == ExchangeState.QUEUED;
                    int status =
                            state == ExchangeState.ANSWERING && last != null ? last.status() : 0;
                    step(ExchangeState.FAILED);
                    ExchangeRecord record = record(status, why);
                    return () -> {
                        tell(record);
                        if (waiting) {
                            context.withdraw(this);
                        }
                        leave(last);
                        if (last != null) {
                            last.closeAnswer();
                        }
                    };
                });
    }

    /** Lets go of the request: at once, or when the slot that has it is done with it. */
    private void leave(@Nullable Attempt last) {
        if (last == null || last.isOver()) {
            body.spool().close();
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
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns a line for status.
     *
     * @return the exchange as it is now
     */
    public ExchangeStatus status() {
        lock.lock();
        try {
            return journal.status(state, attempt);
        } finally {
            lock.unlock();
        }
    }

    private static void nothing() {}

    private void act(Supplier<Runnable> step) {
        Runnable after;
        lock.lock();
        try {
            after = step.get();
        } finally {
            lock.unlock();
        }
        after.run();
    }

    private void step(ExchangeState next) {
        journal.leave(state);
        state = state.to(next);
    }

    private ExchangeRecord record(int status, @Nullable Failure failure) {
        return journal.record(attempt, status, failure, body.spool().size(), moves);
    }

    private void tell(ExchangeRecord record) {
        context.ended(record);
        environment.end().ended(this, record);
    }
}
