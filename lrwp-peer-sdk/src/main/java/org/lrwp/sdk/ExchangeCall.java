package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * An asynchronous handler at work on one exchange. Everything that enters the author's code goes
 * through the tasks, one after another; the methods of the exchange come from any thread.
 */
final class ExchangeCall implements StreamCall, PeerExchange {
    private final ExchangeHandler handler;
    private final RequestHead head;
    private final AnswerPort answer;
    private final IncomingBody body;
    private final Consumer<Throwable> failed;
    private final Runnable ended;
    private final SerialTasks tasks = new SerialTasks(PeerThreads.handlers());
    private final AtomicReference<@Nullable ExchangeListener> listener = new AtomicReference<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean paused;
    private volatile boolean cancelled;
    private volatile boolean over;
    private volatile boolean complete;
    private volatile boolean tunnel;
    // Only in tasks.
    private boolean bodyEnded;
    private boolean streamEnded;

    ExchangeCall(
            ExchangeHandler handler,
            RequestHead head,
            AnswerPort answer,
            IncomingBody body,
            Consumer<Throwable> failed,
            Runnable ended) {
        this.handler = handler;
        this.head = head;
        this.answer = answer;
        this.body = body;
        this.failed = failed;
        this.ended = ended;
    }

    @Override
    public void start() {
        tasks.add(this::enter);
    }

    private void enter() {
        if (!answer.enter()) {
            return;
        }
        try {
            handler.handle(this);
        } catch (RequestRefusedException e) {
            if (!answer.refuse(e.reason()) && begun.compareAndSet(false, true)) {
                send(Refusals.unavailable());
            }
        } catch (Exception | Error e) {
            fail(e);
        }
    }

    @Override
    public void fail(Throwable cause) {
        failed.accept(cause);
        if (complete) {
            return;
        }
        if (begun.compareAndSet(false, true)) {
            send(Refusals.failed());
        } else {
            answer.cancel("the handler failed");
        }
    }

    private void send(PeerResponse response) {
        complete = true;
        byte[] cgi = ResponseHead.encode(response.status(), response.headers());
        answer.send(cgi, ByteBuffer.wrap(response.body()), true);
    }

    @Override
    public void bodyArrived() {
        if (listener.get() != null && !paused) {
            tasks.add(this::deliver);
        }
    }

    @Override
    public void writable() {
        tell(ExchangeListener::onWritable);
    }

    @Override
    public void cancelled(String reason) {
        cancelled = true;
        body.fail("the request was cancelled");
        tell(hearing -> hearing.onCancelled(reason));
    }

    @Override
    public void done() {
        ended.run();
        tasks.add(
                () -> {
                    streamEnded = true;
                    if (!tunnel || cancelled || bodyEnded) {
                        finish();
                    }
                });
    }

    /** In a task; of a tunnel what has come is delivered before. */
    private void finish() {
        over = true;
        body.fail("the request is over");
        hear(ExchangeListener::onDone);
    }

    private void tell(Consumer<ExchangeListener> event) {
        tasks.add(() -> hear(event));
    }

    private void hear(Consumer<ExchangeListener> event) {
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

    /** Delivers what has come of the body; in a task. */
    private void deliver() {
        while (isFlowing()) {
            ByteBuffer bytes = body.poll();
            if (bytes == null) {
                break;
            }
            int count = bytes.remaining();
            hear(hearing -> hearing.onBody(bytes));
            body.taken(count);
        }
        if (isFlowing() && !bodyEnded && body.isTaken()) {
            bodyEnded = true;
            hear(ExchangeListener::onBodyEnd);
            if (streamEnded) {
                finish();
            }
        }
    }

    private boolean isFlowing() {
        return !paused && !cancelled && !over && listener.get() != null;
    }

    @Override
    public RequestHead request() {
        return head;
    }

    @Override
    public void listen(ExchangeListener hearing) {
        if (listener.compareAndSet(null, hearing)) {
            tasks.add(this::deliver);
        }
    }

    @Override
    public void pauseBody() {
        paused = true;
    }

    @Override
    public void resumeBody() {
        paused = false;
        tasks.add(this::deliver);
    }

    @Override
    public void respond(int status, List<HeaderField> headers) {
        ResponseHead.check(status, headers);
        begin();
        answer.send(ResponseHead.encode(status, headers), null, false);
    }

    @Override
    public void answer(int status, List<HeaderField> headers, ByteBuffer bytes) {
        ResponseHead.check(status, headers);
        begin();
        complete = true;
        answer.send(ResponseHead.encode(status, headers), bytes, true);
    }

    @Override
    public void upgrade(String protocol, List<HeaderField> headers) {
        if (!head.offers(protocol)) {
            throw new IllegalStateException("the client has not offered " + protocol);
        }
        begin();
        tunnel = true;
        answer.upgrade(ResponseHead.upgrade(protocol, headers));
    }

    private void begin() {
        if (!begun.compareAndSet(false, true) && !cancelled && !over) {
            throw new IllegalStateException("the answer has begun before");
        }
    }

    @Override
    public boolean write(ByteBuffer bytes) {
        checkBegun();
        return answer.send(null, bytes, false);
    }

    @Override
    public void complete() {
        checkBegun();
        complete = true;
        answer.send(null, null, true);
    }

    private void checkBegun() {
        if (!begun.get() && !cancelled && !over) {
            throw new IllegalStateException("the answer has not begun");
        }
    }

    @Override
    public void abort(String reason) {
        if (!complete || tunnel) {
            complete = true;
            cancelled |= tunnel;
            answer.cancel(reason);
        }
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }
}
