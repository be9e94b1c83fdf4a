package org.lrwp.engine.exchange;

import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Spool;

/**
 * The HTTP client's end of an exchange, implemented by a front.
 *
 * <p>The engine calls exactly one of {@link #answer}, {@link #fail} and {@link #upgrade}, once,
 * from any thread. Neither may block: the body is pulled from its spool as fast as the client takes
 * it. The front tells the end with {@link Exchange#delivered} or {@link Exchange#clientGone}.
 */
public interface Client {
    /**
     * The answer may start.
     *
     * @param head what to send first
     * @param body its bytes: pull with {@link Spool#poll()} until {@link Spool#ending()} is not
     *     {@link BodyEnding#OPEN}; {@link BodyEnding#BROKEN} means that the rest will never come
     *     and the client's connection must be cut, so that it is seen
     */
    void answer(AnswerHead head, Spool body);

    /**
     * The process that answers has a tag by which the client comes back to it. Called before {@link
     * #answer} or {@link #upgrade}, where a context wants that.
     *
     * @param tag letters, digits, {@code -} and {@code _}
     */
    default void sticksTo(String tag) {}

    /**
     * There is no answer; the client gets one clear error.
     *
     * @param failure what happened; {@link Failure#status()} is not 0
     */
    void fail(Failure failure);

    /**
     * Returns how much of an error the client would get, for the line in the log, which is there
     * before the answer. Any thread, before {@link #fail}.
     *
     * @param failure what happened
     * @return bytes of the error's body; 0 where the client gets none
     */
    default long errorBytes(Failure failure) {
        return 0;
    }

    /**
     * The client has left before there was an answer for it. Called then, and once more when the
     * peer that had the request by then is done with it: it may have done it all the same.
     */
    default void abandoned() {}

    /**
     * The peer goes over to the protocol that the client has offered. Only for requests with {@link
     * ExchangeRequest#upgrades()}.
     *
     * @param head status 101 with all its fields, {@code Connection} and {@code Upgrade} included;
     *     to be sent and flushed at once
     * @param tunnel takes the client's bytes from now on, those first that came behind the request
     * @return who gets the peer's bytes
     */
    default TunnelClient upgrade(AnswerHead head, Tunnel tunnel) {
        throw new UnsupportedOperationException("this client has offered no protocol");
    }

    /**
     * Says whether the answer's spool may have parts of files in place of bytes.
     *
     * @return whether the client looks at {@link Spool#files()}; always the same
     */
    default boolean takesFiles() {
        return false;
    }
}
