package org.lrwp.webapp.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.spool.Spool;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * A client whose request is asynchronous, from its head to the end of its answer.
 *
 * <pre>
 *   OPEN --answer--> ANSWERING --all written, cut, or gone--> FINISHED
 *     |                                                          ^
 *     +--error--> body read already ? -----------yes-------------+
 *     |              no: DROPPING --end, limit, or silence-------+
 *     +--client gone---------------------------------------------+
 * </pre>
 *
 * <p>Purpose: container and engine call at any time from any thread, and the container allows one
 * thread at a time and one {@code complete()}. Design: every call leaves a mark and asks for a
 * turn; one turn at a time looks at all marks. Ordering promise: after FINISHED nothing of the
 * container is touched, as its objects belong to the next request. No thread waits.
 */
final class ServletClient implements Client {
    private enum State {
        OPEN,
        ANSWERING,
        DROPPING,
        FINISHED
    }

    private static final System.Logger LOG = System.getLogger(ServletClient.class.getName());

    /** How long the rest of a request may be silent when its connection is to be closed. */
    private static final Duration LAST_SILENCE = Duration.ofSeconds(2);

    /** Request attribute of one that is answered and was dispatched only to be completed. */
    static final String DONE = "org.lrwp.done";

    private static final long NOBODY = -1;

    private final AsyncContext async;
    private final HttpServletResponse response;
    private final ClientLink link;
    private final ClientRequest request;
    private final ClientSettings settings;
    private final Turns turns = new Turns(this::turn);
    private volatile @Nullable BodyReader body;
    private volatile @Nullable Exchange exchange;
    private volatile @Nullable AnswerHead head;
    private volatile @Nullable Spool spool;
    private volatile @Nullable ErrorAnswer error;
    private volatile boolean stalled;
    private volatile State state = State.OPEN;
    private @Nullable AnswerWriter writer;
    private boolean bodyTold;
    private boolean silenceTimed;
    private boolean watching;
    private boolean closing;
    private volatile long dropLimit;
    private volatile long starter = NOBODY;

    ServletClient(
            AsyncContext async, ClientLink link, ClientRequest request, ClientSettings settings) {
        this.async = async;
        this.response = (HttpServletResponse) async.getResponse();
        this.link = link;
        this.request = request;
        this.settings = settings;
        turns.hold();
    }

    /** Starts to read the body and to answer. The container's thread calls it once, last. */
    void start(@Nullable Exchange opened) {
        exchange = opened;
        try {
            if (request.bodyLength() != 0) {
                var in = async.getRequest().getInputStream();
                body = new BodyReader(in, link, request.bodyLength(), this::take, turns);
                if (opened != null && request.bodyLength() > 0) {
                    opened.body().expect(request.bodyLength());
                }
                ErrorAnswer refused = error;
                if (refused == null || isLast(refused)) {
                    body.start();
                }
            }
        } catch (IOException e) {
            gone(Failure.CLIENT_GONE);
        }
        starter = body == null ? NOBODY : Thread.currentThread().threadId();
        turns.release();
        starter = NOBODY;
    }

    // ---- The engine.

    @Override
    public void answer(AnswerHead answerHead, Spool octets) {
        spool = octets;
        head = answerHead;
        turns.ask();
    }

    @Override
    public void fail(Failure failure) {
        fail(ErrorAnswer.of(failure), failure == Failure.BODY_TOO_SLOW);
    }

    /** Answers with an error; closes the connection afterwards if it must not go on. */
    void fail(ErrorAnswer answer, boolean close) {
        closing = close;
        error = answer;
        turns.ask();
    }

    // ---- The turns.

    private void turn() {
        try {
            if (state == State.OPEN && error == null) {
                readBody();
            }
            if (state == State.OPEN) {
                begin();
            } else if (state == State.ANSWERING) {
                goOn();
            }
            if (state == State.DROPPING) {
                drop();
            }
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "client-failed id=" + request.id(), e);
            gone(Failure.CLIENT_GONE);
        }
    }

    private void readBody() {
        BodyReader reader = body;
        Exchange open = exchange;
        if (bodyTold || open == null) {
            return;
        }
        if (reader != null) {
            if (reader.isBroken()) {
                gone(Failure.CLIENT_GONE);
                return;
            }
            if (!reader.isWhole()) {
                if (!silenceTimed) {
                    silenceTimed = true;
                    open.body().pending();
                }
                return;
            }
        }
        bodyTold = true;
        open.body().whole();
    }

    /** Takes octets of the body, in the container's call; what nobody wants is dropped. */
    private boolean take(ByteBuffer octets) {
        Exchange open = exchange;
        if (state == State.OPEN && error == null && open != null && open.body().receive(octets)) {
            return true;
        }
        return state != State.FINISHED && (state != State.DROPPING || read() <= dropLimit);
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
                settings.date().addTo(response);
                if (request.last() || LastAnswer.isClosing(known.status(), link)) {
                    link.end();
                }
                writer = new AnswerWriter(response, link, known, octets, turns);
                after(writer.start());
            }
        } catch (IOException e) {
            gone(Failure.CLIENT_GONE);
        }
    }

    private void goOn() {
        AnswerWriter started = writer;
        if (stalled) {
            link.cut(true);
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
                }
                finish();
            }
            case BROKEN -> {
                AnswerHead known = head;
                link.cut(known == null || known.contentLength() < 0);
                finish();
            }
            case GONE -> gone(Failure.CLIENT_GONE);
            case OPEN -> watch();
        }
    }

    // ---- An error before the end of the request: the rest is read and dropped, so that it is not
    // taken for the next request and the client gets to read the answer.

    private void refuse(ErrorAnswer failed) throws IOException {
        boolean rest = body != null && !body.isWhole();
        closing = isLast(failed);
        if (closing) {
            link.end();
        }
        if (exchange == null) {
            long now = settings.clock().nanos();
            settings.log().ended(request.record(failed.status(), 0, failed.word(), now));
        }
        link.prepareAnswer("");
        settings.date().addTo(response);
        failed.write(response, request.accept(), request.id(), closing);
        if (!closing && LastAnswer.isClosing(failed.status())) {
            link.fixHead();
        }
        boolean starting = starter == Thread.currentThread().threadId();
        if (!rest || (starting && !closing)) {
            // What is left is small: the container drops it.
            finish();
            return;
        }
        response.flushBuffer();
        state = State.DROPPING;
        dropLimit = read() + settings.config().dropLimit();
        settings.stalls().add(new Silence()::lasts);
    }

    /** Whether the connection ends with an error, because of it or of what is left to read. */
    private boolean isLast(ErrorAnswer failed) {
        boolean rest = body != null && !body.isWhole();
        boolean tooLong = request.bodyLength() < 0 || left() > settings.config().dropLimit();
        return closing
                || request.last()
                || LastAnswer.isClosing(failed.status(), link)
                || (rest && tooLong);
    }

    private long read() {
        return body == null ? 0 : body.octets();
    }

    private long left() {
        return request.bodyLength() - read();
    }

    private void drop() {
        BodyReader reader = body;
        boolean over = reader == null || reader.isWhole() || reader.isBroken();
        if (over || stalled || read() > dropLimit) {
            if (!over) {
                // The container would wait for the rest of the request.
                link.cut(false);
            }
            finish();
        }
    }

    // ---- The end.

    private void gone(Failure why) {
        if (state == State.FINISHED) {
            return;
        }
        link.cut(true);
        Exchange open = exchange;
        finish();
        if (open != null) {
            open.clientGone(why);
        }
    }

    private void finish() {
        state = State.FINISHED;
        if (starter == Thread.currentThread().threadId()) {
            // GlassFish loses what is pipelined behind a request with a body that is complete
            // before the servlet returns; a dispatch happens after it has returned.
            async.getRequest().setAttribute(DONE, true);
            async.dispatch();
        } else {
            complete();
        }
    }

    private void complete() {
        try {
            async.complete();
        } catch (IllegalStateException e) {
            LOG.log(Level.DEBUG, "already-complete id={0}", request.id());
        }
        if (link.pendingOctets() > 0) {
            settings.stalls().add(new Backlog(link, settings)::lasts);
        }
    }

    // ---- Slow clients.

    private void watch() {
        AnswerWriter started = writer;
        if (started != null && started.isBlocked() && !watching) {
            watching = true;
            settings.stalls().add(new Stall(started, new Backlog(link, settings))::lasts);
        }
    }

    /** Watches a client that does not read its answer. */
    private final class Stall {
        private final AnswerWriter watched;
        private final Backlog backlog;

        Stall(AnswerWriter watched, Backlog backlog) {
            this.watched = watched;
            this.backlog = backlog;
        }

        boolean lasts() {
            if (state == State.FINISHED) {
                return false;
            }
            if (!watched.isBlocked()) {
                backlog.restart();
            } else if (backlog.isStalled()) {
                stalled = true;
                turns.ask();
                return false;
            }
            return true;
        }
    }

    /** Watches a client that does not send the rest of its request. */
    private final class Silence {
        private long seen = -1;
        private long since = settings.clock().nanos();

        boolean lasts() {
            long now = settings.clock().nanos();
            long octets = read();
            if (octets != seen) {
                seen = octets;
                since = now;
            }
            if (state == State.FINISHED) {
                return false;
            }
            if (now - since < LAST_SILENCE.toNanos()) {
                return true;
            }
            stalled = true;
            turns.ask();
            return false;
        }
    }
}
