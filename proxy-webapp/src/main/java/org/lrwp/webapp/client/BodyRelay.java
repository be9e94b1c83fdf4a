package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.spool.Handover;
import org.lrwp.webapp.inspector.Inspection;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Takes the body of one request from its client to its exchange; what no exchange wants is dropped.
 * The bytes come from the source's thread, all else is called in the request's turns. Counts may be
 * asked for by any thread.
 */
final class BodyRelay implements BodySink {
    private final ActiveRequest request;
    private final RequestLine line;
    private volatile @Nullable BodySource source;
    private volatile @Nullable BodyDiscard discard;
    private volatile long received;
    private boolean begun;
    private boolean silenceTimed;
    private boolean told;

    /**
     * Creates a relay.
     *
     * @param request whose body it is
     * @param line what is kept of that
     */
    BodyRelay(ActiveRequest request, RequestLine line) {
        this.request = request;
        this.line = line;
    }

    /**
     * Makes ready to read, if the request has a body at all; nothing is read yet.
     *
     * @throws IOException if the client is gone
     */
    void open(ClientStream stream) throws IOException {
        if (line.bodyLength() != 0) {
            source = stream.body(line.bodyLength(), this);
        }
    }

    /**
     * Gives a whole body to the exchange at once, in place of all that follows here.
     *
     * @return false when there is none, or not all of it has come
     */
    boolean giveWhole(ClientStream stream, Exchange exchange) {
        ByteBuffer whole = line.bodyLength() == 0 ? null : stream.wholeBody();
        if (whole == null) {
            return false;
        }
        told = true;
        received = whole.remaining();
        show(whole);
        exchange.body().receiveWhole(whole, Handover.ofUnused(whole), stream::bodyUnused);
        return true;
    }

    /**
     * Lets the bytes come.
     *
     * @throws IOException if the client is gone
     */
    void start() throws IOException {
        BodySource ready = source;
        if (ready != null) {
            begun = true;
            ready.start();
        }
    }

    // ---- The source.

    @Override
    public boolean take(ByteBuffer bytes, Handover how) {
        long sum = received + bytes.remaining();
        received = sum;
        show(bytes);
        Exchange taker = request.bodyTaker();
        if (taker != null && taker.body().receive(bytes, how)) {
            return true;
        }
        if (request.isAnswering()) {
            discard().begin();
        }
        BodyDiscard dropped = discard;
        return !request.isOver() && (dropped == null || dropped.isWanted());
    }

    private void show(ByteBuffer bytes) {
        Inspection inspection = request.inspection();
        if (inspection != null) {
            inspection.body(bytes);
        }
    }

    @Override
    public boolean hasRoom() {
        Exchange taker = request.bodyTaker();
        return taker == null || taker.body().hasRoom();
    }

    @Override
    public void changed() {
        request.run();
    }

    // ---- The request.

    /** Whether nothing of a body has been read, nor will be. */
    boolean isUntouched() {
        return !begun;
    }

    /** Reads on if reading was paused and there is room again. */
    void resume() {
        BodySource reading = source;
        if (reading != null && begun) {
            reading.resume();
        }
    }

    /**
     * Tells the exchange once that the body waits for the client, and once that it is whole.
     *
     * @return false when the rest will never come
     */
    boolean tell(Exchange exchange) {
        BodySource reading = source;
        if (told) {
            return true;
        }
        if (reading != null && reading.isBroken()) {
            return false;
        }
        if (reading != null && !reading.isWhole()) {
            if (!silenceTimed) {
                silenceTimed = true;
                exchange.body().pending();
            }
            return true;
        }
        told = true;
        exchange.body().whole();
        return true;
    }

    /**
     * Ends reading for good.
     *
     * @return false when somebody is still reading; a turn follows when that is over
     */
    boolean end() {
        BodySource reading = source;
        return reading == null || !begun || reading.end();
    }

    /** Whether some of the body has not been read, or not been seen to end. */
    boolean isLeft() {
        BodySource reading = source;
        return reading != null && !reading.isWhole();
    }

    /** Whether nothing more comes: no body, a whole one, or one that has broken off. */
    boolean isOver() {
        BodySource reading = source;
        return reading == null || reading.isWhole() || reading.isBroken();
    }

    /** Whether its chunks break a rule of HTTP. */
    boolean isMalformed() {
        BodySource reading = source;
        return reading != null && reading.isMalformed();
    }

    /** Bytes read so far. */
    long received() {
        return received;
    }

    /** Whether more than so many bytes are left, or may be. */
    boolean hasMoreThan(long limit) {
        return line.bodyLength() < 0 || line.bodyLength() - received > limit;
    }

    /**
     * What becomes of the rest when the request has its answer. Made for the first who asks: almost
     * no request has a rest then.
     */
    synchronized BodyDiscard discard() {
        BodyDiscard known = discard;
        if (known == null) {
            known = new BodyDiscard(this, request.settings(), request);
            discard = known;
        }
        return known;
    }
}
