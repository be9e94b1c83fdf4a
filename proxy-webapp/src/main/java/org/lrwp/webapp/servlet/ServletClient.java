package org.lrwp.webapp.servlet;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.exchange.TunnelClient;
import org.lrwp.engine.spool.Handover;
import org.lrwp.engine.spool.Spool;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A client whose request is asynchronous, from its head to the end of its answer.
 *
 * <pre>
 *   OPEN --answer--> ANSWERING --all written, cut, or gone--> FINISHED --nobody reads--> COMPLETED
 *     |                                                          ^
 *     +--error--> body read already ? -----------yes-------------+
 *     |              no: DROPPING --end, limit, or silence-------+
 *     +--client gone---------------------------------------------+
 * </pre>
 *
 * <p>Purpose: container and engine call at any time from any thread, and the container allows one
 * thread at a time and one {@code complete()}. Design: every call leaves a mark and asks for a
 * turn; one turn at a time looks at all marks. Ordering promise: after FINISHED nothing of the
 * container is touched, after COMPLETED its objects are the next request's. No thread waits.
 */
final class ServletClient implements Client {
    private enum State {
        OPEN,
        ANSWERING,
        DROPPING,
        FINISHED,
        COMPLETED
    }

    private static final System.Logger LOG = System.getLogger(ServletClient.class.getName());

    private final ClientCall call;
    private final ClientAnswer response;
    private final ClientLink link;
    private final ClientRequest request;
    private final ClientSettings settings;
    private final Turns turns = new Turns(this::turn);
    private final Upload upload;
    private final DroppedRest rest;
    private final SlowReader reader;
    private final OwnLine line;
    private volatile @Nullable Exchange exchange;
    private volatile @Nullable AnswerHead head;
    private volatile @Nullable Spool spool;
    private volatile @Nullable ErrorAnswer error;
    private volatile String word = "";
    private volatile boolean attaching;
    private volatile boolean departed;
    private volatile boolean tunneled;
    private boolean abandoned;
    private volatile State state = State.OPEN;
    private @Nullable AnswerWriter writer;
    private boolean closing;
    private volatile @Nullable Thread starter;

    ServletClient(
            ClientCall call, ClientLink link, ClientRequest request, ClientSettings settings) {
        this.call = call;
        this.response = call.answer();
        this.link = link;
        this.request = request;
        this.settings = settings;
        this.upload = new Upload(request, link);
        this.rest = new DroppedRest(upload, settings, turns);
        this.reader = new SlowReader(link, settings, turns);
        this.line = new OwnLine(request, settings);
        turns.hold();
    }

    /** Starts to read the body and to answer. The container's thread calls it once, last. */
    void start(@Nullable Exchange opened) {
        if (opened != null) {
            exchange = opened;
        }
        try {
            link.onDeparture(this::depart);
            upload.open(call, new Inflow(), turns);
            if (opened != null && request.bodyLength() != 0) {
                opened.body().onRoom(turns::ask);
                opened.body().expect(request.bodyLength());
            }
            ErrorAnswer refused = error;
            if (refused == null || isLast(refused)) {
                upload.start();
            }
        } catch (IOException e) {
            gone(Failure.CLIENT_GONE);
        }
        starter = upload.exists() ? Thread.currentThread() : null;
        turns.release();
        starter = null;
    }

    /**
     * Something stands in front of its context and may answer it. Before {@link #start}.
     *
     * @param completed makes the line in the log of a request without an exchange
     */
    void frontedBy(UnaryOperator<ExchangeRecord> completed) {
        line.completedBy(completed);
    }

    /** Gets its exchange later: what stands in front of the context passes it on. Any thread. */
    void attach(Supplier<Exchange> opening) {
        attaching = true;
        try {
            exchange = opening.get();
        } finally {
            attaching = false;
        }
        turns.ask();
    }

    /** Answers without an exchange. Any thread. */
    void answerAlone(AnswerHead answerHead, Spool octets, String how) {
        word = how;
        answer(answerHead, octets);
    }

    // ---- The engine.

    @Override
    public void answer(AnswerHead answerHead, Spool octets) {
        spool = octets;
        head = answerHead;
        turns.ask();
    }

    @Override
    public TunnelClient upgrade(AnswerHead answerHead, Tunnel tunnel) {
        tunneled = true;
        return link.upgrade(answerHead, tunnel, this::leaveTunnel);
    }

    private void leaveTunnel(boolean whole) {
        Exchange open = exchange;
        if (open != null && whole) {
            open.delivered();
        } else if (open != null) {
            open.clientGone(Failure.CLIENT_GONE);
        }
        call.complete();
    }

    @Override
    public boolean takesFiles() {
        return link.sendsFiles();
    }

    @Override
    public void fail(Failure failure) {
        ErrorAnswer answer = ErrorAnswer.of(failure);
        fail(answer, answer.isFarewell());
    }

    /** Answers with an error; closes the connection afterwards if it must not go on. */
    void fail(ErrorAnswer answer, boolean close) {
        closing = close;
        error = answer;
        turns.ask();
    }

    /** The client has left. */
    private void depart() {
        departed = true;
        turns.ask();
    }

    // ---- The turns.

    private void turn() {
        if (attaching || tunneled) {
            // An exchange that ends at once tells so before it is known whose it is; of a tunnel
            // nothing is left to do here.
            return;
        }
        if (abandoned) {
            giveBack();
        }
        if (departed) {
            gone(Failure.CLIENT_GONE);
        }
        if (isOver()) {
            complete();
            return;
        }
        try {
            if ((state == State.OPEN || state == State.ANSWERING) && error == null) {
                upload.resume();
                readBody();
            }
            if (state == State.OPEN) {
                begin();
            } else if (state == State.ANSWERING) {
                goOn();
            }
            if (state == State.DROPPING) {
                upload.resume();
                if (!rest.goesOn(link)) {
                    finish();
                }
            }
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "client-failed id=" + request.id(), e);
            gone(Failure.CLIENT_GONE);
        }
    }

    private void readBody() {
        Exchange open = exchange;
        if (open != null && !upload.tell(open)) {
            if (upload.isMalformed()) {
                open.fail(Failure.BAD_REQUEST);
            } else {
                gone(Failure.CLIENT_GONE);
            }
        }
    }

    /** Takes the body for the exchange; what nobody wants is dropped. */
    private final class Inflow implements BodyReader.Sink {
        @Override
        public boolean take(ByteBuffer octets, Handover how) {
            Exchange open = exchange;
            boolean going = (state == State.OPEN || state == State.ANSWERING) && error == null;
            if (going && open != null && open.body().receive(octets, how)) {
                return true;
            }
            if (state == State.ANSWERING) {
                rest.begin();
            }
            return !isOver() && rest.isWanted();
        }

        @Override
        public boolean hasRoom() {
            Exchange open = exchange;
            return open == null || error != null || open.body().hasRoom();
        }
    }

    private void begin() {
        AnswerHead known = head;
        Spool octets = spool;
        ErrorAnswer failed = error;
        try {
            if (failed != null) {
                refuse(failed);
            } else if (known != null && octets != null) {
                state = State.ANSWERING;
                settings.date().addTo(response, link);
                if (request.last() || LastAnswer.isClosing(known.status(), link)) {
                    link.end();
                }
                link.limitPending(settings.config().writeAhead());
                writer = new AnswerWriter(response, link, known, octets, turns);
                after(writer.start());
            }
        } catch (IOException e) {
            gone(Failure.CLIENT_GONE);
        }
    }

    private void goOn() {
        AnswerWriter started = writer;
        if (reader.isStalled()) {
            gone(Failure.CLIENT_STALLED);
        } else if (started != null) {
            after(started.goOn());
        }
    }

    private void after(AnswerWriter.Progress progress) {
        switch (progress) {
            case COMPLETE -> {
                Exchange done = exchange;
                if (done != null) {
                    done.delivered();
                } else {
                    endAlone(word);
                }
                endAnswer();
            }
            case BROKEN -> {
                AnswerHead known = head;
                link.cut(known == null || known.contentLength() < 0);
                finish();
                Exchange open = exchange;
                Spool octets = spool;
                if (open == null) {
                    endAlone(Failure.PEER_GONE.word());
                } else if (octets != null) {
                    // What the client has not taken is of no use any more.
                    octets.close();
                    open.clientGone(Failure.CLIENT_GONE);
                }
            }
            case GONE -> gone(Failure.CLIENT_GONE);
            case OPEN -> {
                AnswerWriter started = writer;
                if (started != null) {
                    reader.watch(started);
                }
            }
        }
    }

    /** The whole answer is with the container: what is left of the request is dropped. */
    private void endAnswer() {
        if (!upload.isLeft()) {
            finish();
            return;
        }
        try {
            response.flush();
            state = State.DROPPING;
            rest.begin();
        } catch (IOException e) {
            gone(Failure.CLIENT_GONE);
        }
    }

    // ---- An error, maybe before the end of the request.

    private void refuse(ErrorAnswer failed) throws IOException {
        closing = isLast(failed);
        if (closing) {
            link.end();
        }
        if (exchange == null) {
            line.write(failed.status(), 0, failed.word());
        }
        link.prepareAnswer("");
        settings.date().addTo(response, link);
        failed.write(response, request.accept(), request.id(), closing);
        if (!closing && LastAnswer.isClosing(failed.status())) {
            link.fixHead();
        }
        if (!upload.isLeft() || (upload.isUntouched() && !closing)) {
            // What is left is small: the container drops it, as nobody has it told of more.
            finish();
            return;
        }
        response.flush();
        state = State.DROPPING;
        rest.begin();
    }

    /** Whether the connection ends with an error, because of it or of what is left to read. */
    private boolean isLast(ErrorAnswer failed) {
        return closing
                || request.last()
                || LastAnswer.isClosing(failed.status(), link)
                || (upload.isLeft() && upload.hasMoreThan(settings.config().dropLimit()));
    }

    // ---- The end.

    private void gone(Failure why) {
        if (isOver()) {
            return;
        }
        link.cut(true);
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
        Spool octets = spool;
        if (late != null) {
            late.clientGone(Failure.CLIENT_GONE);
        } else if (octets != null) {
            octets.close();
        }
    }

    /** A request without an exchange is over. */
    private void endAlone(String how) {
        AnswerHead known = head;
        Spool octets = spool;
        long sent = 0;
        if (octets != null) {
            sent = octets.polled();
            octets.close();
        }
        line.write(known == null ? 0 : known.status(), sent, how);
    }

    private boolean isOver() {
        return state == State.FINISHED || state == State.COMPLETED;
    }

    private void finish() {
        state = State.FINISHED;
        reader.end();
        complete();
    }

    /** Gives the request back to the container, when nobody reads its body any more. */
    private void complete() {
        if (state == State.COMPLETED || !upload.end()) {
            return;
        }
        state = State.COMPLETED;
        if (Thread.currentThread().equals(starter)) {
            call.completeOnReturn();
        } else {
            call.complete();
        }
        reader.watchDelivery();
    }
}
