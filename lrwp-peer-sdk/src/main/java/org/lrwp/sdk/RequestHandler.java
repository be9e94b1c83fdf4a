package org.lrwp.sdk;

/** Answers the requests of a context. */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Answers one request. Called on a thread that is its own for so long, several at once when the
     * peer has a concurrency above one; may block on sockets, locks and clocks. From Java 21 on the
     * thread is a virtual one. There a long wait for a pipe or in native code keeps one of the few
     * threads that carry all virtual ones: give it to a platform thread. The thread is interrupted
     * when {@link PeerRequest#cancelled()} becomes true.
     *
     * @param request the request; valid until the method returns
     * @return the answer
     * @throws Exception for any failure; the client gets 500 and the peer's listener the exception.
     *     {@link RequestRefusedException} refuses
     */
    PeerResponse handle(PeerRequest request) throws Exception;
}
