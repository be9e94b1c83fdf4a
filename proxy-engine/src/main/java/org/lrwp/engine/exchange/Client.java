package org.lrwp.engine.exchange;

import org.lrwp.engine.spool.Spool;

/**
 * The HTTP client's end of an exchange, implemented by a front.
 *
 * <p>The engine calls exactly one of the two methods, exactly once, from any thread. Neither may
 * block: the body is pulled from its spool as fast as the client takes it. The front tells the end
 * with {@link Exchange#delivered} or {@link Exchange#clientGone}.
 */
public interface Client {
    /**
     * The answer may start.
     *
     * @param head what to send first
     * @param body its octets: pull with {@link Spool#poll()} until {@link Spool#ending()} is not
     *     {@link Spool.Ending#OPEN}; {@link Spool.Ending#BROKEN} means that the rest will never
     *     come and the client's connection must be cut, so that it is seen
     */
    void answer(AnswerHead head, Spool body);

    /**
     * There is no answer; the client gets one clear error.
     *
     * @param failure what happened; {@link Failure#status()} is not 0
     */
    void fail(Failure failure);

    /**
     * Says whether the answer's spool may have parts of files in place of octets.
     *
     * @return whether the client looks at {@link Spool#files()}; always the same
     */
    default boolean takesFiles() {
        return false;
    }
}
