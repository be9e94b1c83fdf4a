package org.lrwp.sdk.spi;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeHandler;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.FileRegion;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.RequestRefusedException;
import org.lrwp.sdk.SerialTasks;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * What each {@link PeerExchange} does, wherever its request comes from: it calls the handler and
 * the listener one after another, keeps the order of the answer's parts, and turns what a handler
 * throws into an answer. Where the bytes come from and go to is the subclass's.
 *
 * <pre>
 *   the answer:  NONE --respond(), upgrade()--> BEGUN --complete(), abort(), fail()--> COMPLETE
 *                  +---------------answer(), abort(), fail(), refused-----------------^
 *   its end:     OPEN --done()--> OVER --a listener is there--> TOLD
 * </pre>
 *
 * <p>Methods of the exchange come from any thread and return at once.
 *
 * @param <H> the head of an answer in the form in which it is sent
 */
public abstract class AbstractExchange<H> implements PeerExchange {
    private enum Answer {
        NONE,
        BEGUN,
        COMPLETE
    }

    private enum End {
        OPEN,
        OVER,
        TOLD
    }

    private final SerialTasks calls;
    private final AtomicReference<@Nullable ExchangeListener> listener = new AtomicReference<>();
    private final AtomicReference<Answer> answer = new AtomicReference<>(Answer.NONE);
    private final AtomicReference<End> end = new AtomicReference<>(End.OPEN);
    private volatile boolean cancelled;
    private volatile boolean tunnel;

    /**
     * Creates an exchange.
     *
     * @param executor calls the handler and the listener, once for all calls that come together
     */
    protected AbstractExchange(Executor executor) {
        this.calls = new SerialTasks(executor);
    }

    // ---- What a subclass does. Each returns at once.

    /**
     * Says that the handler is about to be entered.
     *
     * @return false when it must not be, as nobody waits any more
     */
    protected abstract boolean enter();

    /** Says that the handler listens from now on: the body may flow. Once. */
    protected abstract void listening();

    /**
     * Makes the head of an answer; nothing is sent.
     *
     * @param status HTTP status
     * @param headers header fields in their order
     * @return the head
     * @throws IllegalArgumentException when they cannot be sent
     */
    protected abstract H head(int status, List<HeaderField> headers);

    /**
     * Begins the answer. Once, and not before {@link #sendWhole}; as all that follows it may come
     * when nobody waits any more, and has no effect then.
     *
     * @param head its head
     */
    protected abstract void sendHead(H head);

    /**
     * Gives the whole answer.
     *
     * @param head its head
     * @param bytes its body; not copied
     */
    protected abstract void sendWhole(H head, ByteBuffer bytes);

    /**
     * Gives bytes of the body.
     *
     * @param bytes the next bytes; not copied
     * @return whether more is welcome; after false {@link #writable} follows
     */
    protected abstract boolean send(ByteBuffer bytes);

    /**
     * Gives a part of a file as the next bytes of the body; only where {@link #takesFiles()}.
     *
     * @param part the next bytes
     * @return whether more is welcome; after false {@link #writable} follows
     */
    protected boolean send(FileRegion part) {
        throw new UnsupportedOperationException("files are bytes here");
    }

    /** Says that the answer is whole; also after {@link #cancelled}. */
    protected abstract void sendEnd();

    /**
     * Gives the exchange up.
     *
     * @param reason for the log of the proxy
     */
    protected abstract void giveUp(String reason);

    /**
     * Says that the request was not started and never will be.
     *
     * @param reason for the log of the proxy
     * @return false when it is too late for that: an answer follows
     */
    protected abstract boolean refuse(String reason);

    /**
     * Reports a fault of the handler.
     *
     * @param cause what it threw
     */
    protected abstract void report(Throwable cause);

    // ---- For the subclass, from any thread.

    /**
     * Has the handler called.
     *
     * @param handler answers the request
     */
    protected final void start(ExchangeHandler handler) {
        calls.add(() -> call(handler));
    }

    private void call(ExchangeHandler handler) {
        if (!enter()) {
            return;
        }
        try {
            handler.handle(this);
        } catch (RequestRefusedException e) {
            refused(e);
        } catch (Exception | Error e) {
            fail(e);
        }
    }

    private void refused(RequestRefusedException refusal) {
        if (!answer.compareAndSet(Answer.NONE, Answer.COMPLETE)) {
            fail(refusal);
        } else if (!refuse(refusal.reason())) {
            sendWhole(Refusals.unavailable());
        }
    }

    private void sendWhole(PeerResponse response) {
        sendWhole(head(response.status(), response.headers()), ByteBuffer.wrap(response.body()));
    }

    /**
     * Has a step run as a call: never beside another, and behind those that came before.
     *
     * @param step must not throw
     */
    protected final void run(Runnable step) {
        calls.add(step);
    }

    /**
     * Tells the listener, if there is one; within a call.
     *
     * @param event what it hears
     */
    protected final void hear(Consumer<ExchangeListener> event) {
        ExchangeListener hearing = listener.get();
        if (hearing == null) {
            return;
        }
        try {
            event.accept(hearing);
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Behind the handler: it may be about to listen. */
    private void tell(Consumer<ExchangeListener> event) {
        calls.add(() -> hear(event));
    }

    /** Says that more of the answer is welcome. */
    protected final void writable() {
        tell(ExchangeListener::onWritable);
    }

    /**
     * Says that nobody waits for the answer any more; the handler has still to end it.
     *
     * @param reason for the listener
     */
    protected final void cancelled(String reason) {
        cancelled = true;
        tell(hearing -> hearing.onCancelled(reason));
    }

    /** Says that the exchange is over: nothing of the answer is looked at any more. */
    protected final void done() {
        end.compareAndSet(End.OPEN, End.OVER);
        tellDone();
    }

    /** Most handlers that answer at once listen to nothing, and need no thread to hear it. */
    private void tellDone() {
        if (listener.get() != null && end.compareAndSet(End.OVER, End.TOLD)) {
            tell(ExchangeListener::onDone);
        }
    }

    /**
     * Says whether somebody listens, and for the body it is not too late.
     *
     * @return whether {@link #hear} reaches a listener that wants the body
     */
    protected final boolean isHeard() {
        return listener.get() != null && !cancelled && !isOver();
    }

    private boolean isOver() {
        return end.get() != End.OPEN;
    }

    /**
     * Says whether the answer has begun.
     *
     * @return whether a head has been given
     */
    protected final boolean isBegun() {
        return answer.get() != Answer.NONE;
    }

    /**
     * Says whether this is a tunnel.
     *
     * @return whether {@link #becomeTunnel} was called
     */
    protected final boolean isTunnel() {
        return tunnel;
    }

    /**
     * Begins an answer after which both directions go on, each until its own end.
     *
     * @throws IllegalStateException when an answer has begun before
     */
    protected final void becomeTunnel() {
        begin(Answer.BEGUN);
        tunnel = true;
    }

    // ---- For the handler.

    @Override
    public final void listen(ExchangeListener hearing) {
        if (listener.compareAndSet(null, hearing)) {
            listening();
            if (isOver()) {
                tellDone();
            }
        }
    }

    @Override
    public final void respond(int status, List<HeaderField> headers) {
        H head = head(status, headers);
        begin(Answer.BEGUN);
        sendHead(head);
    }

    @Override
    public final void answer(int status, List<HeaderField> headers, ByteBuffer bytes) {
        H head = head(status, headers);
        begin(Answer.COMPLETE);
        last(() -> sendWhole(head, bytes));
    }

    /** Nothing comes behind the last part: where it cannot be sent, the exchange is given up. */
    private void last(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error e) {
            giveUp("the answer could not be sent");
            throw e;
        }
    }

    private void begin(Answer next) {
        if (!answer.compareAndSet(Answer.NONE, next) && !cancelled && !isOver()) {
            throw new IllegalStateException("the answer has begun before");
        }
    }

    @Override
    public final boolean write(ByteBuffer bytes) {
        return isDropped() || send(bytes);
    }

    @Override
    public final boolean write(FileRegion part) {
        boolean dropped = isDropped();
        if (!takesFiles()) {
            throw new UnsupportedOperationException("files are bytes for this client");
        }
        return dropped || send(part);
    }

    /** Whether bytes are of no use any more. */
    private boolean isDropped() {
        if (cancelled || isOver()) {
            return true;
        }
        Answer now = answer.get();
        if (now == Answer.NONE) {
            throw notBegun();
        }
        return now == Answer.COMPLETE;
    }

    private static IllegalStateException notBegun() {
        return new IllegalStateException("the answer has not begun");
    }

    @Override
    public final void complete() {
        if (answer.get() == Answer.NONE && !cancelled && !isOver()) {
            throw notBegun();
        }
        if (answer.getAndSet(Answer.COMPLETE) != Answer.COMPLETE) {
            last(this::sendEnd);
        }
    }

    @Override
    public final void abort(String reason) {
        if (answer.getAndSet(Answer.COMPLETE) != Answer.COMPLETE || tunnel) {
            cancelled = cancelled || tunnel;
            giveUp(reason);
        }
    }

    @Override
    public final void fail(Throwable cause) {
        report(cause);
        Answer before = answer.getAndSet(Answer.COMPLETE);
        if (before == Answer.NONE) {
            sendWhole(Refusals.failed());
        } else if (before == Answer.BEGUN || tunnel) {
            giveUp("the handler failed");
        }
    }

    /**
     * Answers 413 in the handler's place, because the body is longer than the peer takes; an answer
     * that has begun is given up. The handler has still to end the exchange.
     */
    protected final void tooLarge() {
        String reason = "the body is too large";
        Answer before = answer.getAndSet(Answer.COMPLETE);
        if (before == Answer.NONE) {
            sendWhole(Refusals.tooLarge());
        } else if (before == Answer.BEGUN) {
            giveUp(reason);
        }
        cancelled(reason);
    }

    @Override
    public final boolean isCancelled() {
        return cancelled;
    }
}
