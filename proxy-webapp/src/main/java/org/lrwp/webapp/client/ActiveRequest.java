package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.exchange.TunnelClient;
import org.lrwp.engine.spool.Spool;
import org.lrwp.sdk.SerialTask;
import org.lrwp.webapp.config.ErrorPages;
import org.lrwp.webapp.config.FieldChanges;
import org.lrwp.webapp.inspector.Inspection;
import org.lrwp.webapp.traffic.Compression;
import org.lrwp.webapp.traffic.StickyCookie;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One request of a client, from its head to the end of its answer.
 *
 * <pre>
 *   OPEN --answer--> ANSWERING --all written, cut, or gone--> FINISHED --nobody reads--> COMPLETED
 *     |                                                          ^
 *     +--error--> REFUSING --taken--> body read already ? --yes--+
 *     |                          no: DROPPING --end or limit-----+
 *     +--client gone---------------------------------------------+
 *     +--another protocol--> TUNNELED (what follows is the tunnel's)
 * </pre>
 *
 * <p>Purpose: client and engine call at any time from any thread, and the client's stream allows
 * one thread at a time and one end. Design: every call leaves a mark and asks for a turn; one turn
 * at a time looks at all marks. Ordering promise: after FINISHED nothing is written any more, after
 * COMPLETED the stream is not touched. No thread waits.
 */
public final class ActiveRequest extends SerialTask implements Client, ClientListener {
    private enum State {
        OPEN,
        ANSWERING,
        REFUSING,
        DROPPING,
        FINISHED,
        COMPLETED,
        TUNNELED
    }

    private static final System.Logger LOG = System.getLogger(ActiveRequest.class.getName());

    /** Bytes of an answer's head, and more. */
    private static final int MOST_HEAD = 256 * 1024;

    private final ClientStream stream;
    private final RequestLine request;
    private final ClientSettings settings;
    private final BodyRelay body;
    private final AccessEntry entry;
    private volatile State state = State.OPEN;
    private volatile @Nullable Exchange exchange;
    private volatile @Nullable AnswerHead head;
    private volatile @Nullable Spool spool;
    private volatile @Nullable ErrorAnswer error;
    private volatile String word = "";
    private volatile boolean attaching;
    private volatile boolean departed;
    private boolean abandoned;
    private boolean closing;
    private @Nullable Sender sender;
    private @Nullable SlowReader slow;
    private @Nullable Runnable whenComplete;
    private FieldChanges answerFields = FieldChanges.NONE;
    private @Nullable Compression compression;
    private @Nullable StickyCookie cookie;
    private @Nullable Inspection inspection;
    private volatile String tag = "";
    private @Nullable ErrorPages pages;

    /**
     * Creates a request, of which nothing happens before {@link #start}.
     *
     * @param stream brings it and takes its answer
     * @param request what is kept of its head
     * @param settings what all clients share
     */
    public ActiveRequest(ClientStream stream, RequestLine request, ClientSettings settings) {
        this.stream = stream;
        this.request = request;
        this.settings = settings;
        this.body = new BodyRelay(this, request);
        this.entry = new AccessEntry(request, settings);
        hold();
    }

    /**
     * Starts to read the body and to answer. The thread that has read the request calls it once,
     * last.
     *
     * @param opened its exchange; null when it has none, or none yet
     */
    public void start(@Nullable Exchange opened) {
        if (opened != null) {
            exchange = opened;
        }
        stream.listener(this);
        if (opened == null || error != null || !body.giveWhole(stream, opened)) {
            readBody(opened);
        }
        release();
    }

    /** Lets the body come piece by piece. */
    private void readBody(@Nullable Exchange opened) {
        try {
            body.open(stream);
            if (opened != null && request.bodyLength() != 0) {
                opened.body().onRoom(this);
                opened.body().expect(request.bodyLength());
            }
            ErrorAnswer refused = error;
            if (refused == null || isLast(refused)) {
                body.start();
            }
        } catch (IOException e) {
            gone(Failure.CLIENT_GONE);
        }
    }

    /** Has something run when the request is over, behind what shall run. Before start. */
    void whenComplete(Runnable then) {
        Runnable first = whenComplete;
        Runnable both =
                first == null
                        ? then
                        : () -> {
                            first.run();
                            then.run();
                        };
        whenComplete = new Once(both);
    }

    /** Has the fields of its answer changed. Before {@link #start}. */
    void answerFields(FieldChanges changes) {
        answerFields = changes;
    }

    /** Has its answer compressed, if that can be. Before {@link #start}. */
    void compressedBy(Compression prepared) {
        compression = prepared;
    }

    /** Has its client come back to the process that answers. Before {@link #start}. */
    void comesBackBy(StickyCookie prepared) {
        cookie = prepared;
    }

    /** Shows what goes by to an inspection. Before {@link #start}. */
    void inspectedBy(Inspection begun) {
        inspection = begun;
    }

    /** Who inspects it; null for nobody. */
    @Nullable Inspection inspection() {
        return inspection;
    }

    /** What all clients share. */
    ClientSettings settings() {
        return settings;
    }

    /** Who follows it. */
    RequestTrace trace() {
        return request.details().trace();
    }

    /** Has its errors look as those of its context. Before {@link #start}. */
    void errorPages(ErrorPages ofContext) {
        pages = ofContext;
    }

    /**
     * Something stands in front of its context and may answer it. Before {@link #start}.
     *
     * @param completed makes the line in the log of a request without an exchange
     */
    public void frontedBy(UnaryOperator<ExchangeRecord> completed) {
        entry.completedBy(completed);
    }

    /**
     * Gets its exchange later: what stands in front of the context passes it on. Any thread.
     *
     * @param opening opens the exchange
     */
    public void attach(Supplier<Exchange> opening) {
        attaching = true;
        try {
            exchange = opening.get();
        } finally {
            attaching = false;
        }
        run();
    }

    /**
     * Answers without an exchange. Any thread.
     *
     * @param answerHead what to send first
     * @param bytes the body, as for {@link #answer}
     * @param how a word for the access log
     */
    public void answerAlone(AnswerHead answerHead, Spool bytes, String how) {
        word = how;
        answer(answerHead, bytes);
    }

    // ---- The engine.

    @Override
    public void sticksTo(String process) {
        tag = process;
    }

    @Override
    public void answer(AnswerHead answerHead, Spool bytes) {
        if (inspection != null) {
            inspection.answer(answerHead);
        }
        spool = bytes;
        head = changed(answerHead);
        run();
    }

    /** By the traffic rules of its context. */
    private AnswerHead changed(AnswerHead sent) {
        AnswerHead changed =
                answerFields.isEmpty()
                        ? sent
                        : new AnswerHead(
                                sent.status(),
                                sent.reason(),
                                answerFields.applyTo(sent.fields()),
                                sent.contentLength(),
                                sent.bodyless());
        Compression prepared = compression;
        return withCookie(prepared == null ? changed : prepared.begin(changed));
    }

    private AnswerHead withCookie(AnswerHead sent) {
        StickyCookie prepared = cookie;
        return prepared == null || tag.isEmpty() ? sent : prepared.applyTo(sent, tag);
    }

    @Override
    public TunnelClient upgrade(AnswerHead answerHead, Tunnel tunnel) {
        state = State.TUNNELED;
        return stream.upgrade(withCookie(answerHead), tunnel, this::leaveTunnel);
    }

    private void leaveTunnel(boolean whole) {
        Exchange open = exchange;
        if (open != null && whole) {
            open.delivered();
        } else if (open != null) {
            open.clientGone(Failure.CLIENT_GONE);
        }
        giveBackPlace();
        stream.complete();
    }

    @Override
    public boolean takesFiles() {
        return compression == null && inspection == null && stream.sendsFiles();
    }

    @Override
    public void fail(Failure failure) {
        ErrorAnswer answer = ErrorAnswer.of(failure);
        fail(answer, answer.isFarewell());
    }

    /**
     * Answers with an error.
     *
     * @param answer the error
     * @param close whether the connection must not go on
     */
    public void fail(ErrorAnswer answer, boolean close) {
        closing = close;
        error = answer;
        run();
    }

    // ---- The client.

    @Override
    public void departed() {
        departed = true;
        run();
    }

    @Override
    public void writable() {
        run();
    }

    /** Who gets the body now; null when nobody does. Any thread. */
    @Nullable Exchange bodyTaker() {
        State now = state;
        return error == null && (now == State.OPEN || now == State.ANSWERING) ? exchange : null;
    }

    /** Whether its answer is being written. Any thread. */
    boolean isAnswering() {
        State now = state;
        return now == State.ANSWERING || now == State.REFUSING;
    }

    /** Whether nothing is written any more. Any thread. */
    boolean isOver() {
        State now = state;
        return now == State.FINISHED || now == State.COMPLETED;
    }

    // ---- The turns.

    @Override
    protected void turn() {
        if (attaching || state == State.TUNNELED) {
            // An exchange that ends at once tells so before it is known whose it is.
            return;
        }
        if (abandoned) {
            giveBack();
        }
        if (departed) {
            gone(Failure.CLIENT_GONE);
        }
        if (isOver()) {
            // An answer may have come for one who has left.
            endCompression();
            complete();
            return;
        }
        try {
            if ((state == State.OPEN || state == State.ANSWERING) && error == null) {
                body.resume();
                tellBody();
            }
            if (state == State.OPEN) {
                begin();
            } else if (state == State.ANSWERING || state == State.REFUSING) {
                goOn();
            }
            if (state == State.DROPPING) {
                body.resume();
                if (!body.discard().goesOn(stream)) {
                    finish();
                }
            }
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "client-failed id=" + request.id(), e);
            gone(Failure.CLIENT_GONE);
        }
    }

    private void tellBody() {
        Exchange open = exchange;
        if (open != null && !body.tell(open)) {
            if (body.isMalformed()) {
                open.fail(Failure.BAD_REQUEST);
            } else {
                gone(Failure.CLIENT_GONE);
            }
        }
    }

    private void begin() {
        AnswerHead known = head;
        Spool bytes = spool;
        ErrorAnswer failed = error;
        try {
            if (failed != null) {
                refuse(failed);
            } else if (known != null && bytes != null) {
                state = State.ANSWERING;
                if (exchange == null) {
                    entry.begins();
                }
                if (request.last() || stream.endsAfter(known.status())) {
                    stream.endAfterAnswer();
                }
                after(send(known, bytes));
            }
        } catch (IOException e) {
            gone(Failure.CLIENT_GONE);
        }
    }

    /** Sends a small answer that is there in one piece; any other as its bytes come. */
    private Sender.Progress send(AnswerHead known, Spool bytes) throws IOException {
        ByteBuffer whole = stream.takesWhole() ? bytes.pollWhole() : null;
        Compression on = compression != null && compression.isOn() ? compression : null;
        if (whole != null && inspection != null) {
            inspection.answer(whole);
        }
        if (whole != null) {
            ByteBuffer body = on == null ? whole : on.whole(whole);
            // All of it is taken, whatever the limit is: with less the container waits for room.
            int each = settings.config().writeAhead().each();
            stream.limitPending(Math.max(each, body.remaining() + MOST_HEAD));
            stream.send(known, body);
            return Sender.Progress.COMPLETE;
        }
        bytes.onReady(this);
        stream.limitPending(writeAhead());
        AnswerHead told = stream.tellsPending() || on != null ? known : measured(known, bytes);
        var started = new AnswerSender(stream, told, bytes, on, inspection, this);
        sender = started;
        return started.goOn();
    }

    private int writeAhead() {
        return settings.config().writeAhead().among(settings.stalls().size());
    }

    /** An answer that is there as a whole is not sent in chunks by these streams either. */
    private static AnswerHead measured(AnswerHead known, Spool bytes) {
        if (known.contentLength() >= 0 || known.bodyless() || !bytes.isWhole()) {
            return known;
        }
        return new AnswerHead(known.status(), known.reason(), known.fields(), bytes.size(), false);
    }

    private void goOn() {
        Sender started = sender;
        SlowReader watched = slow;
        if (watched != null && watched.isStalled()) {
            gone(Failure.CLIENT_STALLED);
        } else if (started != null) {
            // There may be more slow clients by now.
            stream.limitPending(writeAhead());
            after(started.goOn());
        }
    }

    private void after(Sender.Progress progress) {
        switch (progress) {
            case COMPLETE -> {
                if (state == State.REFUSING) {
                    endRefusal();
                } else {
                    tellDelivered();
                    endAnswer();
                }
            }
            case BROKEN -> {
                AnswerHead known = head;
                stream.cut(known == null || known.contentLength() < 0);
                finish();
                Exchange open = exchange;
                Spool bytes = spool;
                if (open == null) {
                    endAlone(Failure.PEER_GONE.word());
                } else if (bytes != null) {
                    // What the client has not taken is of no use any more.
                    bytes.close();
                    open.clientGone(Failure.CLIENT_GONE);
                }
            }
            case GONE -> gone(Failure.CLIENT_GONE);
            case OPEN -> watchReader();
        }
    }

    private void tellDelivered() {
        Exchange done = exchange;
        if (done != null) {
            done.delivered();
        } else {
            endAlone(word);
        }
    }

    private void watchReader() {
        Sender started = sender;
        if (started != null && started.isBlocked() && slow == null) {
            slow = SlowReader.watch(started, stream, settings, this);
        }
    }

    /** The whole answer is with the client's connection: what is left of the request is dropped. */
    private void endAnswer() {
        if (!body.isLeft()) {
            finish();
            return;
        }
        try {
            drop();
        } catch (IOException e) {
            gone(Failure.CLIENT_GONE);
        }
    }

    private void drop() throws IOException {
        stream.flush();
        state = State.DROPPING;
        body.discard().begin();
    }

    // ---- An error, maybe before the end of the request.

    private void refuse(ErrorAnswer failed) throws IOException {
        closing = isLast(failed);
        if (closing) {
            stream.endAfterAnswer();
        }
        ErrorAnswer.Whole whole = whole(failed);
        if (exchange == null) {
            entry.write(failed.status(), bytesSent(whole), failed.word());
        }
        state = State.REFUSING;
        after(send(whole));
    }

    private ErrorAnswer.Whole whole(ErrorAnswer failed) {
        ErrorPages own = pages;
        return failed.whole(
                request.asker(),
                own == null ? settings.config().traffic().defaults().errors() : own,
                closing);
    }

    private long bytesSent(ErrorAnswer.Whole whole) {
        return request.method().equals("HEAD") ? 0 : whole.body().remaining();
    }

    @Override
    public long errorBytes(Failure failure) {
        return bytesSent(whole(ErrorAnswer.of(failure)));
    }

    private Sender.Progress send(ErrorAnswer.Whole whole) throws IOException {
        if (stream.takesWhole()) {
            stream.send(whole.head(), whole.body());
            return Sender.Progress.COMPLETE;
        }
        stream.limitPending(writeAhead());
        var started = new WholeSender(stream, whole);
        sender = started;
        return started.goOn();
    }

    private void endRefusal() {
        if (body.isUntouched() && !closing) {
            // What is left is small: it is dropped below, as nobody there has been told of more.
            finish();
        } else {
            endAnswer();
        }
    }

    /** Whether the connection ends with an error, because of it or of what is left to read. */
    private boolean isLast(ErrorAnswer failed) {
        return closing
                || request.last()
                || stream.endsAfter(failed.status())
                || (body.isLeft() && body.hasMoreThan(settings.config().dropLimit()));
    }

    // ---- The end.

    private void gone(Failure why) {
        if (isOver()) {
            return;
        }
        stream.cut(true);
        Exchange open = exchange;
        finish();
        if (open != null) {
            open.clientGone(why);
        } else {
            abandoned = head == null;
            endAlone(why.word());
        }
    }

    /** What comes for one who has left before there was anything for him. */
    private void giveBack() {
        Exchange late = exchange;
        Spool bytes = spool;
        if (late != null) {
            late.clientGone(Failure.CLIENT_GONE);
        } else if (bytes != null) {
            bytes.close();
        }
    }

    /** A request without an exchange is over. */
    private void endAlone(String how) {
        AnswerHead known = head;
        Spool bytes = spool;
        long sent = 0;
        if (bytes != null) {
            sent = bytes.polled();
            bytes.close();
        }
        entry.write(known == null ? 0 : known.status(), sent, how);
    }

    private void finish() {
        state = State.FINISHED;
        if (slow != null) {
            slow.end();
        }
        endCompression();
        complete();
    }

    private void endCompression() {
        if (compression != null) {
            compression.close();
        }
    }

    /** Lets go of the stream when nobody reads its body any more. */
    private void complete() {
        if (state == State.COMPLETED || !body.end()) {
            return;
        }
        state = State.COMPLETED;
        giveBackPlace();
        stream.complete();
        SlowReader.watchDelivery(stream, settings);
    }

    private void giveBackPlace() {
        Runnable then = whenComplete;
        if (then != null) {
            then.run();
        }
    }
}
