package org.lrwp.sdk;

import java.nio.ByteBuffer;

/**
 * Hears what happens to one exchange.
 *
 * <p>Threads: {@link ExchangeHandler#handle} and the calls of one exchange come one after another,
 * never two at once, and each sees what the one before has done; so they need no lock among
 * themselves. Which thread they come on is not said: they must not block, for many exchanges may
 * share it. What they throw ends the exchange like {@link PeerExchange#abort}.
 *
 * <pre>
 *   onBody* onBodyEnd        when all of the body was delivered
 *   onWritable*              each after a write that returned false
 *   onCancelled              at most once, then only onDone
 *   onDone                   once, last
 * </pre>
 */
public interface ExchangeListener {
    /**
     * Takes bytes of the body, as they arrive. The proxy may send more when this has returned,
     * unless {@link PeerExchange#pauseBody} was called.
     *
     * @param bytes the next bytes, at least one; the listener's to keep and to read, not to change
     */
    default void onBody(ByteBuffer bytes) {}

    /** Says that the body is whole. */
    default void onBodyEnd() {}

    /** Says, after a {@link PeerExchange#write} that returned false, that more is welcome. */
    default void onWritable() {}

    /**
     * Says that nobody waits for the answer any more: the client is gone, the time is up, or the
     * connection is lost. LRWP 1 and 2 tell only of the last, within a second and when the body of
     * the request has come. What is written from now on is dropped; the exchange has still to be
     * ended, by {@link PeerExchange#complete} or {@link PeerExchange#abort}, for only that gives
     * its place to the next request.
     *
     * @param reason for the log
     */
    default void onCancelled(String reason) {}

    /**
     * Says that the exchange is over: all is written or dropped, and what was given to {@link
     * PeerExchange#write} is not looked at any more.
     */
    default void onDone() {}
}
