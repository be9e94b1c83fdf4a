package org.lrwp.webapp.servlet;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.webapp.files.SendListener;

/**
 * What a container can do for one of its requests beside the Servlet API. May be called by any
 * thread; nothing blocks. Only {@link #pendingBytes} and {@link #cut} may be called when the
 * request is complete.
 */
public interface ContainerLink {
    /**
     * Returns whether the container has received the request to its end.
     *
     * @return false when it has not, or when unknown
     */
    boolean hasWholeRequest();

    /**
     * Says whether the client speaks TLS.
     *
     * @param request what the container tells
     * @return what it tells, unless that is only what the client wrote: {@code :scheme} of HTTP/2
     */
    default boolean isSecure(HttpServletRequest request) {
        return request.isSecure();
    }

    /**
     * Returns the present request's target as it was sent, if the container was given another one
     * because it cannot decode it.
     *
     * @return path and query, or null when the request has the target that was sent
     */
    default @Nullable String replacedTarget() {
        return null;
    }

    /**
     * Returns the request's head as it was read before the container.
     *
     * @param ends of the connection as the container knows them; null = as they are
     * @return the head; null when it has to be had from the Servlet API
     * @throws BadRequestException when it breaks a rule
     */
    default @Nullable RequestHead head(@Nullable ClientConnection ends) throws BadRequestException {
        return null;
    }

    /**
     * Returns the connection as it was read before the container, which may know less of it.
     *
     * @return with the client that a PROXY header has named; null when the container knows all
     */
    default @Nullable ClientConnection ends() {
        return null;
    }

    /**
     * Has somebody told, once, when the client leaves before it has its answer. Not every
     * connection can tell.
     *
     * @param listener called by any thread; must not block
     */
    default void onDeparture(Runnable listener) {}

    /**
     * Takes the container's name out of the answer's head and sets its reason phrase.
     *
     * @param reason the phrase; empty = the usual one
     */
    void prepareAnswer(String reason);

    /** Remembers that the present answer is the last one of this connection. */
    void end();

    /**
     * Says whether an earlier answer was the last one: what the client sent behind that request
     * must not be done. GlassFish hands it over all the same. So is a request whose client has
     * taken it back, or resets streams in masses. Asked once for each request.
     *
     * @return whether it must not be done
     */
    boolean isEnded();

    /**
     * Says whether {@link #fixHead} keeps the connection open after a status that the container
     * would close it for.
     *
     * @return whether it does
     */
    default boolean keepsOpen() {
        return false;
    }

    /**
     * Has the answer's head sent as it is set: the container neither ends the connection because of
     * the status nor takes away the length of a body that is not sent. The last call before the
     * first byte is written; the length must be set.
     */
    default void fixHead() {}

    /**
     * Adds a field to the answer's head as it is: the Servlet API turns bytes above 126 into
     * blanks, and takes its time. Not for fields that the container works with: Content-Type,
     * Content-Length, Date.
     *
     * @param name the field's name
     * @param value each character is a byte
     * @return false when it cannot be done, and nothing was added
     */
    default boolean addBytes(String name, String value) {
        return false;
    }

    /**
     * Sets the answer's Date, if it has none.
     *
     * @param date in the form of HTTP
     * @return false when it cannot be done, and nothing was set
     */
    default boolean setDate(String date) {
        return false;
    }

    /**
     * Says whether {@link #pendingBytes} is known.
     *
     * @return false when only the answer's stream can say whether the client takes more
     */
    default boolean tellsPending() {
        return false;
    }

    /**
     * Returns what the container has taken and the operating system has not.
     *
     * @return bytes; 0 when unknown
     */
    long pendingBytes();

    /**
     * Limits what the container takes for a client that does not: above it {@code isReady} of the
     * answer's stream is false.
     *
     * @param bytes at least 1; the write that passes the limit is still taken
     */
    default void limitPending(int bytes) {}

    /**
     * Says whether the client takes more, beside what {@code isReady} of the answer's stream says.
     *
     * @param then run when it does, if it does not now: by any thread, maybe before this returns
     * @return false while what was {@linkplain #written written} is not sent
     */
    default boolean takesMore(Runnable then) {
        return true;
    }

    /** Bytes were written to the answer's stream. */
    default void written() {}

    /**
     * Says whether {@link #send} can be used.
     *
     * @return whether the client gets its bytes as they are; always the same for one request
     */
    default boolean sendsFiles() {
        return false;
    }

    /**
     * Has the system send a part of a file, behind all that the container has taken. Until the
     * listener has heard its end nothing else may be written. What is left of it counts as pending.
     *
     * @param part what is sent
     * @param listener hears how it fares, in any case
     */
    default void send(FilePart part, SendListener listener) {
        throw new UnsupportedOperationException("files are bytes here");
    }

    /**
     * Has the container drop what it has not given of the request's body, or will yet receive. The
     * last call before the request is complete: GlassFish would take such bytes for the same
     * request once more, if the connection is closed by then or read by another thread.
     */
    default void dropRest() {}

    /**
     * Ends the connection, so that the client does not take a part of an answer for the whole.
     *
     * @param reset whether it must be a reset, because neither length nor chunks tell the end
     */
    void cut(boolean reset);

    /**
     * Says whether the connection is still to be ended, which {@link #cut} could not do itself.
     *
     * @return whether whoever ends the request has to have the container end the connection too
     */
    default boolean isToBeCut() {
        return false;
    }
}
