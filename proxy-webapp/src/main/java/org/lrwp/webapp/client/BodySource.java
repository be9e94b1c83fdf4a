package org.lrwp.webapp.client;

import java.io.IOException;

/**
 * The body of one request on its way from the client. It is given to its sink as it comes, by one
 * thread at a time; {@link #isWhole}, {@link #isBroken} and {@link #isMalformed} may be asked by
 * any. Nothing blocks.
 */
public interface BodySource {
    /**
     * Begins: what has come already is given within this call.
     *
     * @throws IOException when the client is gone
     */
    void start() throws IOException;

    /** The sink may have room again. */
    void resume();

    /**
     * Ends it for good: from here on nothing is given.
     *
     * @return false while something is being given; {@link BodySink#changed} follows when that is
     *     over
     */
    boolean end();

    /**
     * Says whether all of it has been given.
     *
     * @return whether nothing is left
     */
    boolean isWhole();

    /**
     * Says whether the rest will never come.
     *
     * @return whether the client has left, or broken a rule
     */
    boolean isBroken();

    /**
     * Says whether the client has broken a rule of HTTP.
     *
     * @return whether its chunks cannot be read
     */
    boolean isMalformed();
}
