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
import org.lrwp.sdk.ExchangeHandler;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.FileRegion;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestHead;
import org.lrwp.sdk.RequestRefusedException;
import org.lrwp.sdk.SerialTasks;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One request of a local peer as its module sees it. Everything that enters the module's code goes
 * through the calls, one after another; what the module says becomes a step of the {@link
 * LocalCall}. The methods of the SDK come from any thread.
 */
final class LocalExchange implements PeerExchange {
    private static final System.Logger LOG = System.getLogger(LocalConnection.class.getName());
    private static final byte[] FAILED = "internal error".getBytes(StandardCharsets.US_ASCII);

    private final LocalCall call;
    private final LocalAnswer answer;
    private final LocalHeads heads;
    private final LocalBody body;
    private final SerialTasks calls;
    private final Attempt attempt;
    private final AtomicReference<@Nullable ExchangeListener> listener = new AtomicReference<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicBoolean doneTold = new AtomicBoolean();
    private volatile @Nullable RequestHead head;
    private volatile boolean cancelled;
    private volatile boolean over;
    private volatile boolean complete;
    private volatile boolean sized;
    private volatile boolean ofBytes;
    private volatile boolean ofFiles;

    LocalExchange(LocalCall call, LocalAnswer answer, Attempt attempt, Executor executor) {
        this.call = call;
        this.heads = call.connection().heads();
        this.answer = answer;
        this.calls = new SerialTasks(executor);
        this.body = new LocalBody(call, this, attempt.frameBody());
        this.attempt = attempt;
    }

    LocalBody body() {
        return body;
    }

    // ---- Into the module.

    void start(ExchangeHandler handler) {
        calls.add(() -> enter(handler));
    }

    private void enter(ExchangeHandler handler) {
        if (!call.enter()) {
            return;
        }
        try {
            handler.handle(this);
        } catch (RequestRefusedException e) {
            if (begun.get()) {
                fail(e);
            } else {
                complete = true;
                call.execute(() -> call.call().refused(String.valueOf(e.getMessage())));
            }
        } catch (Exception | Error e) {
            fail(e);
        }
    }

    @Override
    public void fail(Throwable cause) {
        LOG.log(
                Level.ERROR,
                "handler-failed peer="
                        + call.connection().peerName()
                        + " "
                        + PeerLog.named(attempt),
                cause);
        if (complete) {
            return;
        }
        complete = true;
        if (begun.compareAndSet(false, true)) {
            List<HeaderField> headers =
                    List.of(new HeaderField("Content-Type", "text/plain; charset=utf-8"));
            whole(LocalHead.of(500, headers), ByteBuffer.wrap(FAILED));
        } else {
            call.execute(() -> call.call().gaveUp("the handler failed"));
        }
    }

    /** Behind the handler: it may be about to listen. */
    private void tell(Consumer<ExchangeListener> event) {
        calls.add(() -> hear(event));
    }

    /** Most handlers that answer at once listen to nothing, and need no thread to hear it. */
    private void tellDone() {
        if (listener.get() != null && doneTold.compareAndSet(false, true)) {
            tell(ExchangeListener::onDone);
        }
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

    void deliver(ByteBuffer bytes) {
        calls.add(
                () -> {
                    if (!cancelled && !over) {
                        hear(hearing -> hearing.onBody(bytes));
                    }
                    call.execute(body::taken);
                });
    }

    void bodyEnd() {
        tell(
                hearing -> {
                    if (!cancelled && !over) {
                        hearing.onBodyEnd();
                    }
                });
    }

    void writable() {
        tell(ExchangeListener::onWritable);
    }

    void cancelled(String reason) {
        cancelled = true;
        tell(hearing -> hearing.onCancelled(reason));
    }

    void done() {
        over = true;
        tellDone();
    }

    // ---- From the module.

    @Override
    public RequestHead request() {
        RequestHead known = head;
        if (known == null) {
            known = readHead();
            // An answer may take hours, and what is read here is four times the env block.
            head = begun.get() ? null : known;
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
    public void listen(ExchangeListener hearing) {
        if (listener.compareAndSet(null, hearing)) {
            call.execute(body::listen);
            if (over) {
                tellDone();
            }
        }
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
    public void respond(int status, List<HeaderField> headers) {
        CgiHead answerHead = LocalHead.of(status, headers);
        sized = answerHead.contentLength() != null;
        begin();
        call.execute(() -> call.respond(answerHead));
        if (!sized) {
            return;
        }
        if (call.connection().isOnLoop()) {
            // Behind the handler, which returns at once and most likely writes before.
            calls.add(() -> call.execute(call::silent));
        } else {
            call.execute(call::silent);
        }
    }

    @Override
    public void answer(int status, List<HeaderField> headers, ByteBuffer bytes) {
        CgiHead answerHead = heads.of(status, headers);
        begin();
        complete = true;
        whole(answerHead, bytes.slice());
    }

    private void whole(CgiHead answerHead, ByteBuffer bytes) {
        answer.expect(bytes.remaining());
        call.execute(() -> call.answer(answerHead, bytes));
    }

    private void begin() {
        if (!begun.compareAndSet(false, true) && !cancelled && !over) {
            throw new IllegalStateException("the answer has begun before");
        }
        head = null;
    }

    @Override
    public boolean write(ByteBuffer bytes) {
        checkBegun();
        if (cancelled || over || complete || !bytes.hasRemaining()) {
            return true;
        }
        if (ofFiles) {
            throw new IllegalStateException("the body is made of files");
        }
        ofBytes = true;
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
    public boolean write(FileRegion part) {
        checkBegun();
        if (!takesFiles()) {
            throw new UnsupportedOperationException("files are bytes for this client");
        }
        if (cancelled || over || complete) {
            return true;
        }
        if (ofBytes || !sized) {
            throw new IllegalStateException("a body of files has a length, and no bytes");
        }
        ofFiles = true;
        FilePart own = new LocalFilePart(part);
        answer.expect(own.length());
        call.execute(() -> call.write(own));
        return isWelcome();
    }

    @Override
    public void complete() {
        checkBegun();
        complete = true;
        call.execute(call::complete);
    }

    private void checkBegun() {
        if (!begun.get() && !cancelled && !over) {
            throw new IllegalStateException("the answer has not begun");
        }
    }

    @Override
    public void abort(String reason) {
        if (!complete) {
            complete = true;
            call.execute(() -> call.call().gaveUp(reason));
        }
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }
}
