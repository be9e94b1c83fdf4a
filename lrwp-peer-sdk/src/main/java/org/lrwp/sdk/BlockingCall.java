package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.sdk.spi.Refusals;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** A blocking handler at work on one stream, on a thread of its own for so long. */
final class BlockingCall implements StreamCall, Runnable {
    private final RequestHandler handler;
    private final RequestHead head;
    private final AnswerStream answer;
    private final IncomingBody body;
    private final long bodyLimit;
    private final Consumer<Throwable> failed;
    private final Runnable ended;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean cancelled;
    // Guarded by the lock.
    private @Nullable Thread thread;
    private boolean over;

    BlockingCall(
            RequestHandler handler,
            RequestHead head,
            AnswerStream answer,
            IncomingBody body,
            long bodyLimit,
            Consumer<Throwable> failed,
            Runnable ended) {
        this.handler = handler;
        this.head = head;
        this.answer = answer;
        this.body = body;
        this.bodyLimit = bodyLimit;
        this.failed = failed;
        this.ended = ended;
    }

    @Override
    public void start() {
        PeerThreads.handlers().execute(this);
    }

    @Override
    public void bodyArrived() {
        // The body itself wakes whoever reads it.
    }

    @Override
    public void roomAgain() {
        // The stream itself wakes whoever writes.
    }

    @Override
    public void cancel(String reason) {
        cancelled = true;
        body.fail("the request was cancelled: " + reason);
        lock.lock();
        try {
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void end() {
        lock.lock();
        try {
            if (thread != null) {
                // The handler may be at work still; its thread says when it is not.
                return;
            }
            over = true;
        } finally {
            lock.unlock();
        }
        ended.run();
    }

    @Override
    public void run() {
        if (!begin()) {
            return;
        }
        try {
            if (answer.enter()) {
                handle();
            }
        } finally {
            leave();
        }
    }

    /** From now on an interrupt finds this thread. */
    private boolean begin() {
        lock.lock();
        try {
            if (over) {
                return false;
            }
            thread = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** From now on none does, as the thread may go on to another request. */
    private void leave() {
        lock.lock();
        try {
            over = true;
            thread = null;
        } finally {
            lock.unlock();
        }
        Thread.interrupted();
        ended.run();
    }

    private void handle() {
        if (cancelled) {
            Thread.currentThread().interrupt();
        }
        try {
            respond(Objects.requireNonNull(handler.handle(request()), "no answer"));
        } catch (RequestRefusedException e) {
            if (!answer.refuse(e.reason())) {
                whole(Refusals.unavailable());
            }
        } catch (BodyTooLargeException e) {
            whole(Refusals.tooLarge());
        } catch (Exception | Error e) {
            fail(e);
        } finally {
            body.fail("the request is over");
        }
    }

    private PeerRequest request() {
        return new HandledRequest(head, new ArrivingInputStream(body, bodyLimit), () -> cancelled);
    }

    /** A handler that was interrupted because nobody waits any more has not failed. */
    private void fail(Throwable cause) {
        if (!cancelled) {
            failed.accept(cause);
        }
        whole(Refusals.failed());
    }

    private void respond(PeerResponse response) {
        PeerResponse.Upgraded upgraded = response.upgraded();
        if (upgraded != null) {
            tunnel(upgraded);
            return;
        }
        BodyWriter writer = response.writer();
        if (writer == null) {
            whole(response);
            return;
        }
        AnswerOutput out =
                new AnswerOutput(
                        answer, ResponseHead.encode(response.status(), response.headers()));
        try {
            writer.writeTo(out);
            out.finish();
        } catch (Exception | Error e) {
            if (!out.hasBegun() && e instanceof BodyTooLargeException) {
                whole(Refusals.tooLarge());
                return;
            }
            if (!out.hasBegun()) {
                fail(e);
                return;
            }
            if (!cancelled) {
                failed.accept(e);
            }
            answer.cancel("the handler failed");
        }
    }

    private void tunnel(PeerResponse.Upgraded upgraded) {
        if (!head.offers(upgraded.protocol())) {
            fail(new IllegalStateException("the client has not offered " + upgraded.protocol()));
            return;
        }
        answer.upgrade(ResponseHead.upgrade(upgraded.protocol(), upgraded.headers()));
        var in = new ArrivingInputStream(body, Long.MAX_VALUE);
        var out = new TunnelOutput(answer);
        try {
            upgraded.tunnel().handle(in, out);
            out.close();
            in.transferTo(OutputStream.nullOutputStream());
        } catch (Exception | Error e) {
            if (!cancelled) {
                failed.accept(e);
            }
            answer.cancel("the handler failed");
        }
    }

    private void whole(PeerResponse response) {
        byte[] cgi = ResponseHead.encode(response.status(), headers(response));
        answer.send(cgi, ByteBuffer.wrap(response.body()), true);
    }

    /** Says the length where the client could not know it from the one frame of the answer. */
    private static List<HeaderField> headers(PeerResponse response) {
        int status = response.status();
        boolean small = response.body().length < PeerSettings.MIN_MAX_FRAME / 2;
        if (small || status == 204 || status == 304) {
            return response.headers();
        }
        if (ResponseHead.has("Content-Length", response.headers())) {
            return response.headers();
        }
        List<HeaderField> more = new ArrayList<>(response.headers());
        more.add(new HeaderField("Content-Length", Integer.toString(response.body().length)));
        return more;
    }
}
