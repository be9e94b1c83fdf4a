package org.lrwp.sdk;

import org.lrwp.protocol.HeaderField;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One request and its answer, for an {@link ExchangeHandler}. It ends by {@link #complete()} or
 * {@link #abort}, whatever else happened; what is called after that has no effect.
 *
 * <p>All methods may be called from any thread and return at once; those of the answer have to come
 * in their order. {@link ExchangeListener} tells on which threads events come.
 */
public interface PeerExchange {
    /**
     * Returns what the request says before its body. Once the answer has begun each call may read
     * it anew, so that a long answer holds no more of it than its module does.
     *
     * @return the head; its {@link RequestHead#bodyLength()} may be unknown
     */
    RequestHead request();

    /**
     * Says who hears of this exchange, and starts the flow of the body. Without a listener the body
     * stays where it is and is dropped at the end. Only the first call counts.
     *
     * @param listener hears of it
     */
    void listen(ExchangeListener listener);

    /** Stops the flow of the body, once what is being delivered is delivered. */
    void pauseBody();

    /** Lets the body flow again. */
    void resumeBody();

    /**
     * Begins the answer. Once.
     *
     * @param status HTTP status, 200 to 999
     * @param headers header fields in the order they shall be sent; a {@code Content-Length} among
     *     them must be kept
     * @throws IllegalArgumentException for a status outside its range, a header {@code Status}, or
     *     a head above 64 KiB, where LRWP 3 has no room for it
     * @throws IllegalStateException when the answer has begun before
     */
    void respond(int status, List<HeaderField> headers);

    /**
     * Gives the whole answer: {@link #respond}, one {@link #write} and {@link #complete()} in one.
     *
     * @param status HTTP status, 200 to 999
     * @param headers header fields in the order they shall be sent
     * @param bytes the body; not copied, as with {@link #write}
     * @throws IllegalArgumentException for a status outside its range, a header {@code Status}, or
     *     a head above 64 KiB, where LRWP 3 has no room for it
     * @throws IllegalStateException when the answer has begun before
     */
    void answer(int status, List<HeaderField> headers, ByteBuffer bytes);

    /**
     * Goes over to a protocol that the client has offered (status 101, RFC 9110 section 7.8). From
     * now on this is a tunnel: {@link ExchangeListener#onBody} brings what the client sends, {@link
     * ExchangeListener#onBodyEnd} says that it sends nothing more, {@link #write} sends to it,
     * {@link #complete()} ends this direction only, and {@link #abort} cuts the client's
     * connection. The exchange is over when both directions have ended. Only for peers with {@link
     * PeerBuilder#upgrades}, over LRWP 3.
     *
     * @param protocol one of those for which {@link RequestHead#offers} says true
     * @param headers header fields of the 101, without {@code Connection} and {@code Upgrade}
     * @throws IllegalStateException when the client has not offered it, or the answer has begun
     */
    default void upgrade(String protocol, List<HeaderField> headers) {
        throw new IllegalStateException("the client has not offered " + protocol);
    }

    /**
     * Gives bytes of the answer's body. All of them are taken, and are on their way to the client
     * at once.
     *
     * @param bytes the next bytes; not copied: from now on their contents must stay as they are,
     *     until {@link ExchangeListener#onDone()} at the latest
     * @return whether more is welcome now; after false {@link ExchangeListener#onWritable()} comes.
     *     Whoever writes on regardless fills the memory
     * @throws IllegalStateException before {@link #respond}
     */
    boolean write(ByteBuffer bytes);

    /**
     * Says whether this answer can be given as parts of files, by {@link #write(FileRegion)}: for a
     * handler inside the proxy, whose client takes the bytes as they are. For all others, and so
     * for every peer that dials in, a file is bytes.
     *
     * @return always the same for one exchange
     */
    default boolean takesFiles() {
        return false;
    }

    /**
     * Gives a part of a file as the next bytes of the answer's body, like {@link
     * #write(ByteBuffer)}. A body is made of bytes or of parts of files, never of both, and one of
     * files has a {@code Content-Length}.
     *
     * @param part the next bytes; the file must stay open until {@link ExchangeListener#onDone()}
     * @return whether more is welcome now; after false {@link ExchangeListener#onWritable()} comes
     * @throws IllegalStateException before {@link #respond}, when bytes have been written, or when
     *     the answer has no length
     * @throws UnsupportedOperationException when {@link #takesFiles()} is false
     */
    default boolean write(FileRegion part) {
        throw new UnsupportedOperationException("files are bytes here");
    }

    /**
     * Says that the answer is whole.
     *
     * @throws IllegalStateException before {@link #respond}, unless the exchange was cancelled
     */
    void complete();

    /**
     * Gives the exchange up: the client gets 502 when nothing of the answer was sent, else its
     * connection is cut.
     *
     * @param reason for the log of the proxy
     */
    void abort(String reason);

    /**
     * Gives the exchange up for a fault of the program, as if {@link ExchangeHandler#handle} had
     * thrown it: the client gets 500 when nothing of the answer was sent, else its connection is
     * cut.
     *
     * @param cause for the log of the peer
     */
    default void fail(Throwable cause) {
        abort("the handler failed");
    }

    /**
     * Says whether nobody waits for the answer any more.
     *
     * @return whether {@link ExchangeListener#onCancelled} has come or is about to
     */
    boolean isCancelled();
}
