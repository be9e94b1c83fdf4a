package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.engine.spool.Handover;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.time.Deadlines.Deadline;
import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.LengthField;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * One try of an exchange with one slot. The slot tells it by events what becomes of the request:
 * {@link #head}, {@link #bytes} and {@link #pause} as the answer comes in, and at last exactly one
 * of {@link #end}, after {@link #answered}, and {@link #failed}.
 *
 * <p>The events come from one thread at a time; none blocks. When the client has left meanwhile
 * they have no effect, so that a slot need not care.
 *
 * <p>What it asks of the exchange each time is what another attempt, or more of the body, changes.
 * What it tells the exchange is what needs the exchange's lock: that the answer starts, a tunnel
 * opens, the attempt is over. The exchange asks it for head and spool of the answer alone.
 */
public final class Attempt {
    private static final int NO_CONTENT = 204;
    private static final int RESET_CONTENT = 205;
    private static final int NOT_MODIFIED = 304;
    private static final int SERVER_ERROR = 500;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Changes {@link #unused}: an attempt is made for each request, and needs no object for it. */
    private static final AtomicReferenceFieldUpdater<Attempt, @Nullable Runnable> UNUSED =
            AtomicReferenceFieldUpdater.newUpdater(Attempt.class, Runnable.class, "unused");

    private final Exchange exchange;
    private final ExchangeConfig config;
    private final ExchangeEnvironment environment;
    private final Slot slot;
    private final Client client;
    private volatile @Nullable AnswerHead head;
    private volatile @Nullable Spool answer;
    private volatile @Nullable Runnable unused;
    private @Nullable Deadline startTimer;
    private boolean over;
    private final @Nullable Tunnel tunnel;

    Attempt(
            Exchange exchange,
            ExchangeConfig config,
            ExchangeEnvironment environment,
            Slot slot,
            Client client) {
        this.exchange = exchange;
        this.config = config;
        this.environment = environment;
        this.slot = slot;
        this.client = client;
        this.tunnel = exchange.tries().tunnel(exchange.request());
    }

    // ---- What the slot sends.

    /**
     * Returns the context of the request.
     *
     * @return as users write it
     */
    public String contextName() {
        return exchange.contextName();
    }

    /**
     * Returns what is asked.
     *
     * @return the request
     */
    public ExchangeRequest request() {
        return exchange.request();
    }

    /**
     * Encodes the head of the request frame of LRWP 1: docs/protocol.md section 4.
     *
     * @param block encodes it, in its memory
     * @return length, env block, length of the body; valid as long as the block is
     */
    public ByteBuffer frameHead(EnvBlockWriter block) {
        return exchange.body().head(block, tunnel != null);
    }

    /**
     * Encodes the env block alone.
     *
     * @param block encodes it, in its memory
     * @return valid as long as the block is
     */
    public ByteBuffer environment(EnvBlockWriter block) {
        ByteBuffer head = frameHead(block);
        return head.position(LengthField.SIZE).limit(head.limit() - LengthField.SIZE);
    }

    /**
     * Returns what there is to see of the request without its env block.
     *
     * @return the view; null when there is only the block
     */
    public @Nullable RequestView view() {
        return exchange.request().envBlock().view();
    }

    /**
     * Returns how long the body of the request is.
     *
     * @return bytes; -1 when nobody knows yet
     */
    public long bodyLength() {
        return exchange.body().knownLength();
    }

    /**
     * Returns the body of the request.
     *
     * @return its spool, at its start; perhaps still growing when the slot {@link Slot#isStreaming}
     */
    public Spool frameBody() {
        exchange.body().keptByReader();
        return exchange.body().spool();
    }

    /**
     * Returns the body of the request for a slot that refers to none of its bytes any more when it
     * is free.
     *
     * @return as {@link #frameBody}
     */
    public Spool passingBody() {
        return exchange.body().spool();
    }

    /**
     * Returns the tunnel that the request may become.
     *
     * @return not open yet; null for an ordinary request
     */
    public @Nullable Tunnel tunnel() {
        return tunnel;
    }

    /**
     * Says whether another connection had the request before.
     *
     * @return true after the first move
     */
    public boolean isMoved() {
        return exchange.tries().moves() > 0;
    }

    // ---- What the slot tells.

    /** The peer has said that it starts the request. */
    public void started() {
        exchange.trace().started();
    }

    /**
     * The head of the answer has come.
     *
     * @param cgi the peer's head
     * @param bodyLength bytes of body that follow; -1 when not known
     */
    public void head(CgiHead cgi, long bodyLength) {
        if (!exchange.listensTo(this)) {
            return;
        }
        exchange.trace().firstByte();
        boolean bodyless = isBodyless(cgi);
        long length = bodyless ? announcedLength(cgi, bodyLength) : bodyLength;
        head = new AnswerHead(cgi.status(), cgi.reason(), cgi.fields(), length, bodyless);
        Spool spool = environment.store().forAnswer();
        spool.onFault(exchange.spaceFault());
        if (slot.isStreaming()) {
            spool.stream();
        }
        answer = spool;
    }

    /**
     * The peer goes over to a protocol that the client has offered.
     *
     * @param cgi the peer's head
     * @param opened {@link #tunnel()}
     */
    public void upgrade(CgiHead cgi, Tunnel opened) {
        exchange.trace().firstByte();
        AnswerHead switching = AnswerHead.switching(cgi);
        head = switching;
        exchange.open(this, switching, opened);
    }

    /**
     * What a GET would have had, for HEAD: the peer's word, or the body it sent in vain. Other
     * answers without a body say nothing of one, but 205 that there is none: RFC 9110 sections 8.6
     * and 15.3.6.
     */
    private long announcedLength(CgiHead cgi, long bodyLength) {
        switch (cgi.status()) {
            case NO_CONTENT, NOT_MODIFIED -> {
                return -1;
            }
            case RESET_CONTENT -> {
                return 0;
            }
            default -> {}
        }
        Long said = cgi.contentLength();
        if (said != null) {
            return said;
        }
        return bodyLength > 0 ? bodyLength : -1;
    }

    /**
     * Says whether the client's answer has no body, whatever the peer sends.
     *
     * @param cgi the peer's head
     * @return true for HEAD and the statuses 204, 205 and 304
     */
    public boolean isBodyless(CgiHead cgi) {
        return cgi.isBodyless(exchange.request().method());
    }

    /**
     * Bytes of the answer's body have come.
     *
     * @param bytes copied; dropped when nobody waits for them any more
     */
    public void bytes(ByteBuffer bytes) {
        add(bytes, Handover.COPIED);
    }

    /**
     * Bytes of the answer's body have come, and are passed on without a copy.
     *
     * @param bytes backed by an array; they must not change until {@link #whenUnused} says so
     */
    public void lend(ByteBuffer bytes) {
        add(bytes, Handover.LENT);
    }

    /**
     * Says whether parts of files can be passed on.
     *
     * @return whether {@link #lend(FilePart)} may be called, for an answer whose length is known
     */
    public boolean takesFiles() {
        return client.takesFiles();
    }

    /**
     * A part of a file is the next part of the answer's body.
     *
     * @param part its file stays open until {@link #whenUnused} says so
     */
    public void lend(FilePart part) {
        AnswerHead known = head;
        Spool spool = answer;
        if (known != null && spool != null && !known.bodyless() && exchange.listensTo(this)) {
            spool.files().add(part);
            exchange.start(this);
        }
    }

    private void add(ByteBuffer bytes, Handover how) {
        AnswerHead known = head;
        Spool spool = answer;
        if (known == null
                || spool == null
                || known.bodyless()
                || !bytes.hasRemaining()
                || !exchange.listensTo(this)) {
            return;
        }
        if (exchange.keep(spool, bytes, how) && spool.size() >= config.startBytes()) {
            exchange.start(this);
        }
    }

    /** No more bytes of the answer are there at present: it starts after the start delay. */
    public void pause() {
        if (head != null && startTimer == null && exchange.listensTo(this)) {
            long delay = config.startDelay().toNanos();
            startTimer = environment.deadlines().after(delay, () -> exchange.start(this));
        }
    }

    /** The answer starts to the client with what is there of it. */
    public void begin() {
        exchange.start(this);
    }

    /** The answer is whole: the client gets its end, even if the request is still being sent. */
    public void answered() {
        answered(NOTHING);
    }

    /**
     * The last bytes of the answer have come, and the answer is whole.
     *
     * @param last the slot's again when this returns; may be empty
     */
    public void answered(ByteBuffer last) {
        AnswerHead known = head;
        Spool spool = answer;
        if (known == null || spool == null || !exchange.listensTo(this)) {
            return;
        }
        exchange.tried(this, known.status() < SERVER_ERROR);
        boolean more = last.hasRemaining() && !known.bodyless();
        if (!more || exchange.keep(spool, last, Handover.BORROWED)) {
            spool.complete();
            exchange.trace().answered();
            // Behind the end, so that an answer that is whole goes out in one write.
            exchange.start(this);
        }
        spool.settle();
    }

    /** The slot is done with this exchange, whose answer is whole. */
    public void end() {
        exchange.over(this);
    }

    /**
     * The peer failed; the slot is done with this exchange.
     *
     * @param failure what happened
     * @param progress how far the request had come
     */
    public void failed(Failure failure, Progress progress) {
        exchange.failed(this, failure, progress);
    }

    /**
     * The peer refused the request; the slot is done with this exchange. It never comes back to
     * this connection.
     */
    public void refused() {
        exchange.tries().refusedBy(slot.connection());
        failed(Failure.REFUSED, Progress.NOT_STARTED);
    }

    /** Whoever has the request has tried all that may be tried: its failure is the client's. */
    public void startedEnough() {
        exchange.tries().startedEnough();
    }

    /**
     * There was no room for the request, and nothing of it has been seen; the slot is done with it.
     */
    public void notTaken() {
        exchange.notTaken(this);
    }

    /**
     * Says how much of the answer the client has not taken.
     *
     * @return bytes
     */
    public long undelivered() {
        Spool spool = answer;
        return spool == null ? 0 : spool.unread();
    }

    /**
     * Returns the exchange for status pages.
     *
     * @return as it is now
     */
    public ExchangeStatus exchangeStatus() {
        return exchange.status();
    }

    /**
     * Says whether more of the answer can be taken.
     *
     * @return false while a slow client has not taken enough of it
     */
    public boolean hasRoom() {
        Spool spool = answer;
        return spool == null || spool.hasRoom();
    }

    /**
     * Sets who is told when {@link #hasRoom} is true again.
     *
     * @param listener called by any thread, perhaps at once; must not block
     */
    public void onRoom(Runnable listener) {
        Spool spool = answer;
        if (spool == null) {
            listener.run();
            return;
        }
        spool.onRoom(listener);
        if (spool.hasRoom()) {
            listener.run();
        }
    }

    /**
     * Sets who is told when nobody looks at the bytes of the answer any more.
     *
     * @param listener called once, by any thread, perhaps at once; must not block
     */
    public void whenUnused(Runnable listener) {
        if (answer == null || !UNUSED.compareAndSet(this, null, listener)) {
            listener.run();
        }
    }

    /**
     * Returns the slot that makes this attempt.
     *
     * @return the slot
     */
    public Slot slot() {
        return slot;
    }

    // ---- For the exchange, under its lock but for the answer's spool.

    boolean isOver() {
        return over;
    }

    void over() {
        over = true;
        if (startTimer != null) {
            startTimer.cancel();
        }
    }

    @Nullable AnswerHead head() {
        return head;
    }

    @Nullable Spool answer() {
        return answer;
    }

    long delivered() {
        Spool spool = answer;
        return spool == null ? 0 : spool.polled();
    }

    void breakAnswer() {
        if (tunnel != null) {
            tunnel.cut();
        }
        Spool spool = answer;
        if (spool != null) {
            spool.breakOff();
        }
    }

    void closeAnswer() {
        if (tunnel != null) {
            tunnel.close();
        }
        Spool spool = answer;
        if (spool == null) {
            return;
        }
        spool.close();
        Runnable listener = UNUSED.getAndSet(this, () -> {});
        if (listener != null) {
            listener.run();
        }
    }
}
