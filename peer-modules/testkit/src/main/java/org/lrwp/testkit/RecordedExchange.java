package org.lrwp.testkit;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.FileRegion;
import org.lrwp.sdk.RequestHead;
import org.lrwp.sdk.spi.AbstractExchange;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * An exchange whose client sends, takes, stalls, fails and leaves as the test says, and that
 * remembers the answer. It calls its listener on the thread that brings the event. Thread-safe.
 */
public final class RecordedExchange extends AbstractExchange<RecordedExchange.AnswerHead> {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int LARGEST_PIECE = 1000;

    /** What the client does with what is written. */
    private enum Taking {
        EVERYTHING,
        ONE_WRITE,
        NOTHING,
        FAILING
    }

    /**
     * What an answer says before its body.
     *
     * @param status its status
     * @param headers its fields
     */
    public record AnswerHead(int status, List<HeaderField> headers) {
        /** Keeps what was said. */
        public AnswerHead {
            headers = List.copyOf(headers);
        }
    }

    private static final AnswerHead NONE = new AnswerHead(0, List.of());

    private final RequestHead request;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private Taking taking = Taking.EVERYTHING;
    private AnswerHead head = NONE;
    private @Nullable Throwable fault;
    private String end = "";
    private boolean whole;
    private boolean done;
    private boolean files;
    private int parts;

    /**
     * Begins an exchange.
     *
     * @param request what it says before its body
     */
    public RecordedExchange(RequestHead request) {
        super(Runnable::run);
        this.request = request;
    }

    // ---- What the module sees.

    @Override
    public RequestHead request() {
        return request;
    }

    @Override
    protected boolean enter() {
        return true;
    }

    @Override
    protected void listening() {}

    @Override
    public void pauseBody() {}

    @Override
    public void resumeBody() {}

    @Override
    protected AnswerHead head(int code, List<HeaderField> fields) {
        return new AnswerHead(code, fields);
    }

    @Override
    protected synchronized void sendHead(AnswerHead answer) {
        if (!isDropped()) {
            head = answer;
            notifyAll();
        }
    }

    @Override
    protected void sendWhole(AnswerHead answer, ByteBuffer bytes) {
        synchronized (this) {
            whole = !isDropped();
            sendHead(answer);
            send(bytes);
        }
        sendEnd();
    }

    @Override
    protected synchronized boolean send(ByteBuffer bytes) {
        if (taking == Taking.FAILING) {
            throw new IllegalStateException("planted");
        }
        if (isDropped()) {
            return true;
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        body.writeBytes(copy);
        return isWelcome();
    }

    private boolean isWelcome() {
        notifyAll();
        if (taking == Taking.ONE_WRITE) {
            taking = Taking.NOTHING;
        }
        return taking == Taking.EVERYTHING;
    }

    @Override
    public synchronized boolean takesFiles() {
        return files;
    }

    @Override
    protected boolean send(FileRegion part) {
        synchronized (this) {
            if (isDropped()) {
                return true;
            }
        }
        FileParts.receive(part, body);
        synchronized (this) {
            parts++;
            return isWelcome();
        }
    }

    @Override
    protected void sendEnd() {
        end("complete");
    }

    @Override
    protected void giveUp(String reason) {
        end(reason);
    }

    @Override
    protected boolean refuse(String reason) {
        return false;
    }

    @Override
    protected synchronized void report(Throwable cause) {
        fault = cause;
    }

    private boolean isDropped() {
        return isCancelled() || !end.isEmpty();
    }

    private void end(String how) {
        synchronized (this) {
            if (!end.isEmpty()) {
                return;
            }
            end = how;
        }
        done();
        run(this::heard);
    }

    /** The listener has heard of the end. */
    private synchronized void heard() {
        done = true;
        notifyAll();
    }

    // ---- What the client does.

    /**
     * Sends the body, in two pieces or more when it can be; nothing when nobody listens or the
     * exchange is over.
     *
     * @param bytes the body
     * @return this exchange
     */
    public RecordedExchange send(byte[] bytes) {
        int piece = Math.clamp((bytes.length + 1) / 2, 1, LARGEST_PIECE);
        for (int at = 0; at < bytes.length && !isOver(); at += piece) {
            int length = Math.min(piece, bytes.length - at);
            ByteBuffer next = ByteBuffer.wrap(bytes, at, length).asReadOnlyBuffer();
            run(() -> hear(hearing -> hearing.onBody(next)));
        }
        if (!isOver()) {
            run(() -> hear(ExchangeListener::onBodyEnd));
        }
        return this;
    }

    /**
     * Sends the body, in two pieces or more when it can be.
     *
     * @param text the body, sent in UTF-8
     * @return this exchange
     */
    public RecordedExchange send(String text) {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    /** From now on the client takes one write and no more. */
    public synchronized void stall() {
        if (taking == Taking.EVERYTHING) {
            taking = Taking.ONE_WRITE;
        }
    }

    /** The client takes everything again. */
    public void takeAgain() {
        boolean full;
        synchronized (this) {
            full = taking == Taking.NOTHING;
            taking = Taking.EVERYTHING;
        }
        if (full) {
            writable();
        }
    }

    /** From now on the answer may be given as parts of files. */
    public synchronized void takeFiles() {
        files = true;
    }

    /**
     * Says how many parts of files have been given.
     *
     * @return 0 when the body is made of bytes
     */
    public synchronized int parts() {
        return parts;
    }

    /** From now on each write throws. */
    public synchronized void fail() {
        taking = Taking.FAILING;
    }

    /** The client goes away. */
    public void leave() {
        cancelled("gone");
    }

    // ---- What the test sees.

    /**
     * Waits for something that shows in this exchange, 20 s at the most.
     *
     * @param condition what is waited for
     * @return this exchange
     * @throws InterruptedException when the thread is interrupted
     */
    public synchronized RecordedExchange await(Predicate<RecordedExchange> condition)
            throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.test(this)) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new AssertionError(
                        "it does not come: status " + head.status() + " " + text(), fault);
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return this;
    }

    /**
     * Waits until the exchange has ended and its listener has heard of it, 20 s at the most.
     *
     * @return how it was: {@code complete}, or the reason of the one who gave up
     * @throws InterruptedException when the thread is interrupted
     */
    public synchronized String awaitEnd() throws InterruptedException {
        await(exchange -> exchange.done);
        return end;
    }

    /**
     * Says whether the exchange has ended.
     *
     * @return whether {@link #end} has something to say
     */
    public synchronized boolean isOver() {
        return !end.isEmpty();
    }

    /**
     * Says how the exchange has ended.
     *
     * @return {@code complete}, or the reason of the one who gave up; empty while it has not
     */
    public synchronized String end() {
        return end;
    }

    /**
     * Says whether the answer came in one, by {@link #answer}.
     *
     * @return whether it was
     */
    public synchronized boolean isWhole() {
        return whole;
    }

    /**
     * Returns the status of the answer.
     *
     * @return 0 while there is none
     */
    public synchronized int status() {
        return head.status();
    }

    /**
     * Returns a header field of the answer.
     *
     * @param name its name, in any case
     * @return its first value; null when there is none
     */
    public synchronized @Nullable String header(String name) {
        for (HeaderField field : head.headers()) {
            if (field.name().equalsIgnoreCase(name)) {
                return field.value();
            }
        }
        return null;
    }

    /**
     * Returns what has been written.
     *
     * @return bytes of the body
     */
    public synchronized byte[] bytes() {
        return body.toByteArray();
    }

    /**
     * Says how much has been written.
     *
     * @return bytes of the body
     */
    public synchronized int length() {
        return body.size();
    }

    /**
     * Returns what has been written.
     *
     * @return the body, read as UTF-8
     */
    public synchronized String text() {
        return body.toString(StandardCharsets.UTF_8);
    }

    /**
     * Returns what has been written, and forgets it.
     *
     * @return the body, read as UTF-8
     */
    public synchronized String takeText() {
        String text = text();
        body.reset();
        return text;
    }
}
