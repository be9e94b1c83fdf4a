package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.spool.Handover;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.SerialTask;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A request for one of the proxy's own pages that is not answered at once: it is read at the edge,
 * it has a body, its answer comes later, or the answer is a stream of events.
 *
 * <pre>
 *   READING --whole--> WAITING --delay over--> STREAMING --client gone--> ENDING --> OVER
 *      |                  |                        +--no events-------------^
 *      +--late, broken----+--client gone------------------------------------+
 * </pre>
 *
 * <p>Any thread marks what has happened and asks for a turn; one turn at a time looks. The watch of
 * slow clients asks once a second. No thread waits.
 */
final class OwnRequest extends SerialTask implements BodySink, ClientListener {
    private static final System.Logger LOG = System.getLogger(OwnRequest.class.getName());

    private enum State {
        READING,
        WAITING,
        STREAMING,
        ENDING,
        OVER
    }

    /** How long the body may take. */
    private static final Duration BODY_TIME = Duration.ofSeconds(10);

    private static final Duration EVENT_TIME = Duration.ofSeconds(2);
    private static final byte[] NOTHING = new byte[0];

    private final CheckedRequest request;
    private final ClientStream stream;
    private final OwnPages pages;
    private final ClientSettings settings;
    private final Backlog backlog;
    private final byte[] body;
    private int filled;
    private @Nullable BodySource source;
    private volatile OwnPages.@Nullable Answer answer;
    private volatile State state = State.READING;
    private volatile boolean departed;
    private final long begun;
    private long since;

    /** Sends the answer where it could wait for its client. */
    private @Nullable WholeSender sender;

    OwnRequest(
            CheckedRequest request, ClientStream stream, OwnPages pages, ClientSettings settings) {
        this.request = request;
        this.stream = stream;
        this.pages = pages;
        this.settings = settings;
        this.backlog = new Backlog(stream, settings);
        this.body = request.hasBody() ? new byte[(int) request.head().bodyLength()] : NOTHING;
        this.begun = settings.clock().nanos();
        this.since = begun;
        hold();
    }

    /** Begins to read the body, if there is one. The thread that has read the head calls it. */
    void start() {
        stream.listener(this);
        if (body.length == 0) {
            ask();
        } else {
            try {
                source = stream.body(body.length, this);
                source.start();
            } catch (IOException e) {
                departed = true;
            }
        }
        begin();
    }

    private void begin() {
        release();
        if (state != State.OVER) {
            settings.stalls()
                    .add(
                            () -> {
                                run();
                                return state != State.OVER;
                            });
        }
    }

    @Override
    public boolean take(ByteBuffer bytes, Handover how) {
        int count = Math.min(bytes.remaining(), body.length - filled);
        bytes.get(body, filled, count);
        filled += count;
        return true;
    }

    @Override
    public boolean hasRoom() {
        return true;
    }

    @Override
    public void changed() {
        run();
    }

    @Override
    public void departed() {
        departed = true;
        run();
    }

    @Override
    public void writable() {
        run();
    }

    @Override
    protected void turn() {
        if (state == State.READING) {
            read();
        }
        OwnPages.Answer known = answer;
        if (state == State.WAITING && known != null) {
            await(known);
        }
        if (state == State.STREAMING && known != null) {
            stream(known);
        }
        if (state == State.ENDING) {
            end();
        }
    }

    private void read() {
        BodySource from = source;
        if (from != null && from.isWhole()) {
            ask();
        } else if (departed || from == null || from.isBroken() || isOver(BODY_TIME)) {
            stream.cut(true);
            state = State.ENDING;
        }
    }

    private void ask() {
        take(pages.answer(new OwnPages.Question(request.head(), request.path(), body)));
    }

    private void take(OwnPages.Answer given) {
        since = settings.clock().nanos();
        state = State.WAITING;
        CompletableFuture<OwnPages.Answer> later = given.later();
        if (later == null) {
            answer = given;
            return;
        }
        var _ =
                later.whenComplete(
                        (known, fault) -> {
                            if (fault != null) {
                                LOG.log(Level.ERROR, "own-page-failed", fault);
                            }
                            answer = known == null ? OwnPages.Answer.error(500) : known;
                            run();
                        });
    }

    private void await(OwnPages.Answer known) {
        if (departed) {
            state = State.ENDING;
        } else if (isOver(known.delay())) {
            try {
                send(known);
                state = known.events() == null ? State.ENDING : State.STREAMING;
            } catch (IOException gone) {
                state = State.ENDING;
            }
        }
    }

    private boolean isOver(Duration time) {
        return settings.clock().nanos() - since >= time.toNanos();
    }

    private void send(OwnPages.Answer known) throws IOException {
        boolean last =
                LastAnswer.isEnding(request.head(), false) || stream.endsAfter(known.status());
        if (last || known.events() != null) {
            stream.endAfterAnswer();
        }
        if (known.isPlainError()) {
            refuse(ErrorAnswer.of(known.status()), last);
            return;
        }
        List<HeaderField> fields = new ArrayList<>(known.fields());
        fields.add(new HeaderField("Cache-Control", "no-store"));
        if (known.events() == null) {
            long length = known.body().length;
            var head = new AnswerHead(known.status(), "", fields, length, false);
            send(new ErrorAnswer.Whole(head, ByteBuffer.wrap(known.body())));
        } else {
            stream.begin(new AnswerHead(known.status(), "", fields, -1, false));
            since = settings.clock().nanos() - EVENT_TIME.toNanos();
        }
    }

    private void send(ErrorAnswer.Whole whole) throws IOException {
        if (stream.takesWhole()) {
            stream.send(whole.head(), whole.body());
        } else {
            sender = new WholeSender(stream, whole);
        }
    }

    /** Such an answer has a line in the access log, as any other error. */
    private void refuse(ErrorAnswer error, boolean last) throws IOException {
        RequestTrace trace = settings.follower().follow(request.head());
        var line = RequestLine.of(request, stream.way(), last, trace, begun);
        ErrorAnswer.Whole whole =
                error.whole(line.asker(), settings.config().traffic().defaults().errors(), last);
        int length = whole.body().remaining();
        send(whole);
        long now = settings.clock().nanos();
        settings.log().ended(line.record(error.status(), length, error.word(), now, now));
    }

    private void stream(OwnPages.Answer known) {
        var events = known.events();
        if (departed || events == null) {
            state = State.ENDING;
            return;
        }
        if (isStalled()) {
            return;
        }
        try {
            if (isOver(EVENT_TIME) && stream.isWritable()) {
                since = settings.clock().nanos();
                stream.write(ByteBuffer.wrap(events.get()));
                if (stream.isWritable()) {
                    stream.flush();
                }
            }
        } catch (IOException gone) {
            state = State.ENDING;
        }
    }

    private void end() {
        BodySource from = source;
        boolean ended = from == null || from.end();
        if (ended && (departed || isTaken() || isStalled())) {
            state = State.OVER;
            stream.complete();
        }
    }

    /** What follows on the connection waits for a client that does not read. */
    private boolean isTaken() {
        WholeSender started = sender;
        if (started != null) {
            return started.goOn() != Sender.Progress.OPEN;
        }
        try {
            return stream.isWritable();
        } catch (IOException gone) {
            return true;
        }
    }

    /** Whether nothing waits for the client. */
    private boolean isIdle() {
        return stream.tellsPending() ? stream.pendingBytes() == 0 : isTaken();
    }

    /** Cuts a client that has read nothing for the stall time. */
    private boolean isStalled() {
        if (isIdle()) {
            backlog.restart();
            return false;
        }
        if (!backlog.isStalled()) {
            return false;
        }
        stream.cut(true);
        state = State.ENDING;
        departed = true;
        return true;
    }
}
