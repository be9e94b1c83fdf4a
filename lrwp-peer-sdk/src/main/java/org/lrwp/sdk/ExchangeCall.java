package org.lrwp.sdk;

import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.spi.AbstractExchange;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/** An asynchronous handler at work on one exchange of a connection. */
final class ExchangeCall extends AbstractExchange<byte[]> implements StreamCall {
    private final ExchangeHandler handler;
    private final RequestHead head;
    private final AnswerPort answer;
    private final IncomingBody body;
    private final long bodyLimit;
    private final Consumer<Throwable> failed;
    private final Runnable ended;
    private volatile boolean paused;
    // Only in calls.
    private long received;
    private boolean bodyEnded;
    private boolean streamEnded;

    ExchangeCall(
            ExchangeHandler handler,
            RequestHead head,
            AnswerPort answer,
            IncomingBody body,
            long bodyLimit,
            Consumer<Throwable> failed,
            Runnable ended) {
        super(PeerThreads.handlers());
        this.handler = handler;
        this.head = head;
        this.answer = answer;
        this.body = body;
        this.bodyLimit = bodyLimit;
        this.failed = failed;
        this.ended = ended;
    }

    // ---- What the stream says.

    @Override
    public void start() {
        start(handler);
    }

    @Override
    public void bodyArrived() {
        if (isFlowing()) {
            run(this::deliver);
        }
    }

    @Override
    public void roomAgain() {
        writable();
    }

    @Override
    public void cancel(String reason) {
        cancelled(reason);
        body.fail("the request was cancelled");
    }

    @Override
    public void end() {
        ended.run();
        run(
                () -> {
                    streamEnded = true;
                    // Of a tunnel what has come is delivered before.
                    if (!isTunnel() || isCancelled() || bodyEnded) {
                        finish();
                    }
                });
    }

    private void finish() {
        body.fail("the request is over");
        done();
    }

    /** Delivers what has come of the body; in a call. */
    private void deliver() {
        while (isFlowing()) {
            ByteBuffer bytes = body.poll();
            if (bytes == null) {
                break;
            }
            int count = bytes.remaining();
            received += count;
            if (received > bodyLimit && !isTunnel()) {
                tooLarge();
                break;
            }
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
        return !paused && isHeard();
    }

    // ---- What the handler says.

    @Override
    public RequestHead request() {
        return head;
    }

    @Override
    protected boolean enter() {
        return answer.enter();
    }

    @Override
    protected void listening() {
        run(this::deliver);
    }

    @Override
    public void pauseBody() {
        paused = true;
    }

    @Override
    public void resumeBody() {
        paused = false;
        run(this::deliver);
    }

    @Override
    protected byte[] head(int status, List<HeaderField> headers) {
        ResponseHead.check(status, headers);
        return fitting(ResponseHead.encode(status, headers));
    }

    /** Before the answer has begun, so that there can still be another one. */
    private byte[] fitting(byte[] cgi) {
        if (cgi.length > answer.maxHead()) {
            throw new IllegalArgumentException("a head of " + cgi.length + " bytes");
        }
        return cgi;
    }

    @Override
    protected void sendHead(byte[] cgi) {
        answer.send(cgi, null, false);
    }

    @Override
    protected void sendWhole(byte[] cgi, ByteBuffer bytes) {
        answer.send(cgi, bytes, true);
    }

    @Override
    public void upgrade(String protocol, List<HeaderField> headers) {
        if (!head.offers(protocol)) {
            throw new IllegalStateException("the client has not offered " + protocol);
        }
        byte[] cgi = fitting(ResponseHead.upgrade(protocol, headers));
        becomeTunnel();
        answer.upgrade(cgi);
    }

    @Override
    protected boolean send(ByteBuffer bytes) {
        return answer.send(null, bytes, false);
    }

    @Override
    protected void sendEnd() {
        answer.send(null, null, true);
    }

    @Override
    protected void giveUp(String reason) {
        answer.cancel(reason);
    }

    @Override
    protected boolean refuse(String reason) {
        return answer.refuse(reason);
    }

    @Override
    protected void report(Throwable cause) {
        failed.accept(cause);
    }
}
