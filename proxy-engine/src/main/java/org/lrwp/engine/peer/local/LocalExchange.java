package org.lrwp.engine.peer.local;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.RequestView;
import org.lrwp.engine.peer.PeerLog;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.frame.RequestPayload;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.FileRegion;
import org.lrwp.sdk.RequestHead;
import org.lrwp.sdk.spi.AbstractExchange;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;

/**
 * One request of a local peer as its module sees it: what the module says becomes a step of the
 * {@link LocalCall}. The methods of the SDK come from any thread.
 */
final class LocalExchange extends AbstractExchange<CgiHead> {
    private static final System.Logger LOG = System.getLogger(LocalConnection.class.getName());

    /** What the body is made of. */
    private enum Parts {
        NONE,
        BYTES,
        FILES
    }

    private final LocalCall call;
    private final LocalAnswer answer;
    private final LocalHeads heads;
    private final LocalBody body;
    private final Attempt attempt;
    private volatile @Nullable RequestHead head;
    private volatile boolean sized;
    private volatile Parts parts = Parts.NONE;

    LocalExchange(LocalCall call, LocalAnswer answer, Attempt attempt) {
        super(call.connection().executor());
        this.call = call;
        this.heads = call.connection().heads();
        this.answer = answer;
        this.body = new LocalBody(call, this, attempt.frameBody());
        this.attempt = attempt;
    }

    LocalBody body() {
        return body;
    }

    // ---- Into the module.

    void begin() {
        start(call.connection().handler());
    }

    void deliver(ByteBuffer bytes) {
        run(
                () -> {
                    if (isHeard()) {
                        hear(hearing -> hearing.onBody(bytes));
                    }
                    call.execute(body::taken);
                });
    }

    void bodyEnd() {
        run(
                () -> {
                    if (isHeard()) {
                        hear(ExchangeListener::onBodyEnd);
                    }
                });
    }

    void roomAgain() {
        writable();
    }

    void cancel(String reason) {
        cancelled(reason);
    }

    void end() {
        done();
    }

    // ---- From the module.

    @Override
    protected boolean enter() {
        return call.enter();
    }

    @Override
    public RequestHead request() {
        RequestHead known = head;
        if (known == null) {
            known = readHead();
            // An answer may take hours, and what is read here is four times the env block.
            head = isBegun() ? null : known;
        }
        return known;
    }

    private RequestHead readHead() {
        RequestView view = attempt.view();
        Supplier<ByteBuffer> block = () -> attempt.environment(new EnvBlockWriter());
        return view == null
                ? RequestHead.of(RequestPayload.environment(block.get()))
                : new LocalRequest(view, attempt.bodyLength(), block);
    }

    @Override
    protected void listening() {
        call.execute(body::listen);
    }

    @Override
    public void pauseBody() {
        body.pause();
    }

    @Override
    public void resumeBody() {
        call.execute(body::resume);
    }

    @Override
    protected CgiHead head(int status, List<HeaderField> headers) {
        return heads.of(status, headers);
    }

    @Override
    protected void sendHead(CgiHead answerHead) {
        head = null;
        sized = answerHead.contentLength() != null;
        call.execute(() -> call.respond(answerHead));
        if (!sized) {
            return;
        }
        if (call.connection().isOnLoop()) {
            // Behind the handler, which returns at once and most likely writes before.
            run(() -> call.execute(call::silent));
        } else {
            call.execute(call::silent);
        }
    }

    @Override
    protected void sendWhole(CgiHead answerHead, ByteBuffer bytes) {
        head = null;
        ByteBuffer own = bytes.slice();
        answer.expect(own.remaining());
        call.execute(() -> call.answer(answerHead, own));
    }

    @Override
    protected boolean send(ByteBuffer bytes) {
        if (!bytes.hasRemaining()) {
            return true;
        }
        if (parts == Parts.FILES) {
            throw new IllegalStateException("the body is made of files");
        }
        parts = Parts.BYTES;
        ByteBuffer own = bytes.slice();
        answer.expect(own.remaining());
        call.execute(() -> call.write(own));
        return isWelcome();
    }

    private boolean isWelcome() {
        if (answer.isWelcome()) {
            return true;
        }
        // The client may have taken enough since the question.
        call.execute(call::tellWritable);
        return false;
    }

    @Override
    public boolean takesFiles() {
        return attempt.takesFiles();
    }

    @Override
    protected boolean send(FileRegion part) {
        if (parts == Parts.BYTES || !sized) {
            throw new IllegalStateException("a body of files has a length, and no bytes");
        }
        parts = Parts.FILES;
        FilePart own = new LocalFilePart(part);
        answer.expect(own.length());
        call.execute(() -> call.write(own));
        return isWelcome();
    }

    @Override
    protected void sendEnd() {
        call.execute(call::complete);
    }

    @Override
    protected void giveUp(String reason) {
        call.execute(() -> call.call().gaveUp(reason));
    }

    @Override
    protected boolean refuse(String reason) {
        call.execute(() -> call.call().refused(reason));
        return true;
    }

    @Override
    protected void report(Throwable cause) {
        LOG.log(
                Level.ERROR,
                "handler-failed peer="
                        + call.connection().peerName()
                        + " "
                        + PeerLog.named(attempt),
                cause);
    }
}
