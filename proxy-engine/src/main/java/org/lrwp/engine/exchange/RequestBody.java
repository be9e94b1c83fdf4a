package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.spool.Handover;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.time.SharedDeadline;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;

/**
 * The body of a request on its way in, as the front hands it over: limited in length, in silence
 * and in slowness.
 *
 * <p>The front calls from one thread at a time. No method blocks, but for the disk under a large
 * body.
 *
 * <p>It asks the exchange whether bytes are still wanted, for only that knows whether the answer
 * has been whole before the request, and tells it when a peer may be looked for. The exchange tells
 * it which attempt the bytes go to: as they come, from the start again, to nobody.
 */
public final class RequestBody {
    private final Exchange exchange;
    private final ExchangeConfig config;
    private final ExchangeEnvironment environment;
    private final Spool spool;
    private volatile long length = -1;
    private volatile boolean whole;
    private volatile boolean streamed;
    private volatile boolean checked;

    /** Null for a body that has come with its head: nothing of it is timed. */
    private volatile @Nullable BodyTime time;

    /** Holds on to the whole exchange until it is closed; null as long as nothing is timed. */
    private volatile @Nullable SharedDeadline deadline;

    /** Wants to know that nothing refers to the bytes any more; null when that is not known. */
    private volatile @Nullable Runnable whenUnused;

    RequestBody(Exchange exchange, ExchangeConfig config, ExchangeEnvironment environment) {
        this.exchange = exchange;
        this.config = config;
        this.environment = environment;
        this.spool = environment.store().forRequest();
        spool.onFault(exchange.spaceFault());
    }

    Spool spool() {
        return spool;
    }

    /**
     * Checks that the head of the request is not too long. It is encoded for that only where it may
     * be.
     *
     * @throws MalformedFrameException when it is too long
     */
    private void checkHead() throws MalformedFrameException {
        boolean upgrade = !exchange.request().upgrades().isEmpty();
        if (upgrade || !exchange.request().envBlock().fits()) {
            encode(new EnvBlockWriter(), upgrade);
        }
        checked = true;
    }

    private boolean hasGoodHead() {
        try {
            checkHead();
            return true;
        } catch (MalformedFrameException e) {
            exchange.fail(Failure.HEAD_TOO_LARGE);
            return false;
        }
    }

    private ByteBuffer encode(EnvBlockWriter block, boolean upgrade)
            throws MalformedFrameException {
        ExchangeRequest request = exchange.request();
        String offer = upgrade ? request.upgrades().text() : "";
        return request.envBlock().encode(block, knownLength(), offer);
    }

    /** The head for a peer; of an upgrade for one that takes it. */
    ByteBuffer head(EnvBlockWriter block, boolean upgrade) {
        if (!checked) {
            throw new IllegalStateException("the request's head is not checked");
        }
        try {
            return encode(block, upgrade);
        } catch (MalformedFrameException e) {
            throw new IllegalStateException("the request's head was good and is not any more", e);
        }
    }

    /**
     * Says how long the whole body is.
     *
     * @return bytes; -1 when nobody knows yet
     */
    public long knownLength() {
        return whole ? spool.size() : length;
    }

    /** Whether all of it has come. */
    boolean isWhole() {
        return whole;
    }

    /** From now on a peer gets it as it comes. */
    void stream() {
        streamed = true;
        spool.stream();
    }

    /**
     * Makes it ready for another peer; false when that cannot have the same request, because bytes
     * are gone or it would say another length. Under the exchange's lock: what arrives meanwhile
     * must not push the first bytes out.
     */
    boolean startAgain() {
        if ((length < 0 && streamed) || !spool.rewind()) {
            return false;
        }
        streamed = false;
        return true;
    }

    /** Who brings the bytes may have been held back for the last peer. */
    void signalRoom() {
        spool.signalRoom();
    }

    /**
     * Says that a body follows, and how long it will be: one that is too long is refused at once,
     * and a peer that wants bodies as they come gets the request now.
     *
     * @param bytes the request's Content-Length; -1 when it has none
     */
    public void expect(long bytes) {
        if (bytes > config.maxBody()) {
            exchange.fail(Failure.BODY_TOO_LARGE);
        } else {
            length = bytes;
            if (hasGoodHead()) {
                exchange.bodyFollows();
            }
        }
    }

    /**
     * Says whether who brings bytes should go on.
     *
     * @return false while a peer that gets the body as it comes has not taken enough of it, or the
     *     disk has not
     */
    public boolean hasRoom() {
        boolean room = (streamed ? spool.hasRoom() : spool.keepsUp()) || !exchange.takesBody();
        BodyTime timed = time;
        if (timed != null) {
            timed.hold(!room);
        }
        return room;
    }

    /**
     * Sets who is told that there is room again, after {@link #hasRoom()} was false.
     *
     * @param listener called by any thread; must not block
     */
    public void onRoom(Runnable listener) {
        spool.onRoom(listener);
    }

    /**
     * Takes bytes of the body.
     *
     * @param bytes the next ones; copied
     * @return whether more is wanted; false when the exchange has ended, early answers included
     */
    public boolean receive(ByteBuffer bytes) {
        return receive(bytes, Handover.COPIED);
    }

    /**
     * Takes bytes of the body, like {@link #receive(ByteBuffer)}.
     *
     * @param bytes the next ones
     * @param how whose they are; not lent
     * @return whether more is wanted
     */
    public boolean receive(ByteBuffer bytes, Handover how) {
        BodyTime timed = time;
        if (timed != null) {
            timed.come();
        }
        if (!exchange.takesBody()) {
            return false;
        }
        if (spool.size() + bytes.remaining() > config.maxBody()) {
            exchange.fail(Failure.BODY_TOO_LARGE);
            return false;
        }
        return exchange.keep(spool, bytes, how);
    }

    /**
     * Takes a body that has come with its head, in place of all other calls.
     *
     * @param bytes all of it
     * @param how whose they are; not lent
     */
    public void receiveWhole(ByteBuffer bytes, Handover how) {
        if (bytes.remaining() > config.maxBody()) {
            exchange.fail(Failure.BODY_TOO_LARGE);
        } else if (exchange.keep(spool, bytes, how)) {
            whole();
        }
    }

    /**
     * Takes a body that has come with its head, like {@link #receiveWhole(ByteBuffer, Handover)}.
     *
     * @param bytes all of it
     * @param how whose they are; not lent
     * @param unused run at most once, by any thread: nothing refers to the bytes any more. It is
     *     not run where that is not sure, so that whoever waits for it loses the memory
     */
    public void receiveWhole(ByteBuffer bytes, Handover how, Runnable unused) {
        whenUnused = unused;
        receiveWhole(bytes, how);
    }

    /** Says, once, that the rest has not arrived yet: from now on its silence is timed. */
    public void pending() {
        time = new BodyTime(environment.clock(), config);
        deadline = new SharedDeadline(environment.deadlines(), 0, this::checkTime);
        checkTime();
    }

    /** One deadline for silence and rate. */
    private void checkTime() {
        BodyTime timed = time;
        SharedDeadline look = deadline;
        if (timed == null || look == null || whole || !exchange.takesBody()) {
            return;
        }
        // It may be the peer that is slow.
        timed.hold(!hasRoom());
        long left = timed.left(spool.size());
        if (left <= 0) {
            exchange.fail(Failure.BODY_TOO_SLOW);
            return;
        }
        look.within(left, environment.clock().nanos());
    }

    /** Nothing is timed any more. */
    private void endTime() {
        SharedDeadline look = deadline;
        if (look != null) {
            look.close();
        }
    }

    /** Says that the body is whole: the exchange now looks for a peer. */
    public void whole() {
        whole = true;
        endTime();
        spool.complete();
        if (hasGoodHead()) {
            exchange.bodyWhole();
        }
    }

    /** Somebody reads it who may refer to its bytes for longer than the exchange lasts. */
    void keptByReader() {
        whenUnused = null;
    }

    /** Nobody reads it any more. */
    void close() {
        endTime();
        spool.close();
        Runnable told = whenUnused;
        whenUnused = null;
        if (told != null && exchange.state() == ExchangeState.DONE) {
            told.run();
        }
    }
}
