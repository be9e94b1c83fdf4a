package org.lrwp.webapp.servlet;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Exchange;

import java.io.IOException;

/**
 * The body of one request on its way from the client: read in the container's calls, told to the
 * exchange in the client's turns. Counts may be asked for by any thread.
 */
final class Upload {
    private final ClientRequest request;
    private final ClientLink link;
    private volatile @Nullable BodyReader reader;
    private boolean begun;
    private boolean silenceTimed;
    private boolean told;

    Upload(ClientRequest request, ClientLink link) {
        this.request = request;
        this.link = link;
    }

    /**
     * Makes ready to read, if the request has a body at all; nothing is read yet.
     *
     * @param call the request
     * @param sink gets the octets
     * @param turns told when there is something to do
     * @throws IOException if the container's input cannot be had
     */
    void open(ClientCall call, BodyReader.Sink sink, Turns turns) throws IOException {
        if (request.bodyLength() != 0) {
            var in = call.body();
            reader = new BodyReader(in, link, request.bodyLength(), sink, turns);
        }
    }

    /**
     * Lets the octets come.
     *
     * @throws IOException if the client is gone
     */
    void start() throws IOException {
        BodyReader ready = reader;
        if (ready != null) {
            begun = true;
            ready.start();
        }
    }

    /** Whether nothing of a body has been read, nor will be. */
    boolean isUntouched() {
        return !begun;
    }

    /** Reads on if reading was paused and there is room again. */
    void resume() {
        BodyReader reading = reader;
        if (reading != null) {
            reading.resume();
        }
    }

    /** Whether there is a body, as far as {@link #open} has been told. */
    boolean exists() {
        return reader != null;
    }

    /**
     * Tells the exchange once that the body waits for the client, and once that it is whole.
     *
     * @return false when the rest will never come
     */
    boolean tell(Exchange exchange) {
        BodyReader reading = reader;
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
     * Ends reading for good. In the client's turns.
     *
     * @return false when somebody is still reading; a turn follows when that is over
     */
    boolean end() {
        BodyReader reading = reader;
        return reading == null || reading.end();
    }

    /** Whether some of the body has not been read, or not been seen to end. */
    boolean isLeft() {
        BodyReader reading = reader;
        return reading != null && !reading.isWhole();
    }

    /** Whether nothing more comes: no body, a whole one, or one that has broken off. */
    boolean isOver() {
        BodyReader reading = reader;
        return reading == null || reading.isWhole() || reading.isBroken();
    }

    /** Whether its chunks break a rule of HTTP. */
    boolean isMalformed() {
        BodyReader reading = reader;
        return reading != null && reading.isMalformed();
    }

    /** Octets read so far. */
    long octets() {
        BodyReader reading = reader;
        return reading == null ? 0 : reading.octets();
    }

    /** Whether more than so many octets are left, or may be. */
    boolean hasMoreThan(long limit) {
        return request.bodyLength() < 0 || request.bodyLength() - octets() > limit;
    }
}
