package org.lrwp.sdk;

import java.io.InputStream;

/** One HTTP request as a blocking handler sees it. For the thread that handles it. */
public interface PeerRequest extends RequestHead {
    /**
     * Returns a request that no proxy has sent, for the tests of a handler. It is never cancelled.
     *
     * @param head what it says before its body, for example by {@link RequestHead#of}
     * @param body its body; the caller's to close
     * @return the request
     */
    static PeerRequest of(RequestHead head, InputStream body) {
        return new HandledRequest(head, body, () -> false);
    }

    /**
     * Returns the body as a stream that ends where the body ends. What a handler leaves unread is
     * dropped. Reading blocks until bytes have come; it throws an {@code IOException} when the
     * request was cancelled.
     *
     * @return the body; closing it is not needed
     */
    InputStream body();

    /**
     * Says whether nobody waits for the answer any more: the client is gone, the time is up, or the
     * connection is lost. The handler's thread is interrupted at the same moment; what it answers
     * then is dropped. LRWP 1 and 2 cannot cancel, so there it becomes true only when {@link
     * LrwpPeer#close()} gives up waiting.
     *
     * @return whether the handler had better stop; once true it stays so. Any thread
     */
    default boolean cancelled() {
        return false;
    }
}
