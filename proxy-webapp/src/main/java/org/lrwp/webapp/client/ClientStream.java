package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.exchange.TunnelClient;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.webapp.files.SendListener;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * One request and its answer on the connection of a client, as whoever read it hands it over: the
 * edge or the servlet. Everything that both of them share sees a client through this.
 *
 * <p>The answer is written by one thread at a time and not after {@link #complete}; {@link
 * #pendingBytes} and {@link #cut} may be called by any thread, later too. Nothing blocks.
 */
public interface ClientStream {
    /**
     * Returns a body that has come with its head, in place of {@link #body}.
     *
     * @return all of it, the caller's from now on; null when more is to come, or nobody knows
     */
    default @Nullable ByteBuffer wholeBody() {
        return null;
    }

    /** Nothing refers to the {@link #wholeBody} any more. At most once; any thread. */
    default void bodyUnused() {}

    /**
     * Returns the body of the request, of which nothing has been read yet. Called once at most.
     *
     * @param length bytes, more than 0; -1 when its end alone will tell
     * @param sink gets the bytes, once they are asked for
     * @return where they come from
     * @throws IOException when the client is gone
     */
    BodySource body(long length, BodySink sink) throws IOException;

    /**
     * Sets who hears of the client. Called once, before anything is read or written.
     *
     * @param listener called by any thread
     */
    void listener(ClientListener listener);

    /**
     * Says who has read the request, for logs.
     *
     * @return {@code edge} or {@code servlet}
     */
    String way();

    // ---- The answer.

    /**
     * Says whether the connection ends behind an answer because of its status.
     *
     * @param status HTTP status
     * @return whether it cannot go on
     */
    boolean endsAfter(int status);

    /** Has the connection end behind the answer, whose head is not written yet. */
    void endAfterAnswer();

    /**
     * Writes an answer that is there as a whole, in one piece. Not where the stream does not tell
     * what is {@linkplain #tellsPending pending}: it would wait for the client.
     *
     * @param head its head; the field Date is added where it is missing
     * @param body all of its bytes; the caller's again when this returns
     * @throws IOException when the client is gone
     */
    void send(AnswerHead head, ByteBuffer body) throws IOException;

    /**
     * Sets the head, which goes out with the first bytes of the body or with {@link #flush}.
     *
     * @param head as for {@link #send(AnswerHead, ByteBuffer)}
     */
    void begin(AnswerHead head);

    /**
     * Says whether the client takes more. Once this is false the listener is told when it is true
     * again.
     *
     * @return whether {@link #write} may be called
     * @throws IOException when the client is gone
     */
    boolean isWritable() throws IOException;

    /**
     * Writes bytes of the body.
     *
     * @param bytes copied, or written before this returns
     * @throws IOException when the client is gone
     */
    void write(ByteBuffer bytes) throws IOException;

    /**
     * Sends all that was written, the head too. Like {@link #write} only behind {@link #isWritable}
     * where the stream does not tell what is {@linkplain #tellsPending pending}.
     *
     * @throws IOException when the client is gone
     */
    void flush() throws IOException;

    /**
     * Says whether {@link #pendingBytes} is known, so that what is written while nothing is pending
     * does not wait for the client.
     *
     * @return always the same for one request
     */
    boolean tellsPending();

    /**
     * Says whether a whole answer can be written at once.
     *
     * @return whether it is known that nothing waits for the client
     */
    default boolean takesWhole() {
        return tellsPending() && pendingBytes() == 0;
    }

    /**
     * Returns what was written and the operating system has not taken.
     *
     * @return bytes; 0 when unknown
     */
    long pendingBytes();

    /**
     * Limits what is taken for a client that does not read.
     *
     * @param bytes at least 1; the write that passes the limit is still taken
     */
    void limitPending(int bytes);

    /**
     * Ends the request: what was written goes out. Once, and for a whole answer as {@link #flush}.
     */
    void complete();

    /**
     * Ends the connection, so that the client does not take a part of an answer for the whole.
     *
     * @param reset whether it must be a reset, because neither length nor chunks tell the end
     */
    void cut(boolean reset);

    // ---- What not every connection can do.

    /**
     * Says whether {@link #send(FilePart, SendListener)} can be used.
     *
     * @return always the same for one request
     */
    boolean sendsFiles();

    /**
     * Has the system send a part of a file behind all that was written. Until the listener has
     * heard its end nothing else may be written. What is left of it counts as pending.
     *
     * @param part what is sent
     * @param progress hears how it fares, in any case
     */
    void send(FilePart part, SendListener progress);

    /**
     * Says whether {@link #upgrade} can be used.
     *
     * @return whether the connection can go over to another protocol
     */
    boolean upgrades();

    /**
     * Tells the client that the connection goes over to another protocol, and has it do so: RFC
     * 9110 section 7.8. In place of an answer.
     *
     * @param head status 101 with all its fields
     * @param tunnel takes the client's bytes
     * @param whenOver told once, by any thread: whether both ends have ended and all was sent
     * @return who gets the peer's bytes
     */
    TunnelClient upgrade(AnswerHead head, Tunnel tunnel, Consumer<Boolean> whenOver);
}
