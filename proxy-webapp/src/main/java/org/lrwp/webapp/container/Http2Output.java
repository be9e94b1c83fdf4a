package org.lrwp.webapp.container;

import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What was written to one stream of HTTP/2 and the operating system has not taken. Grizzly's queues
 * behind the windows of a client have no end, neither that of all streams nor that of the
 * connection, and the windows may be as open as the client likes: nothing more is written, and no
 * answer is complete, before its stream has sent all it has. Any thread; nothing blocks.
 */
final class Http2Output extends EmptyCompletionHandler<Object> {
    private final NIOConnection connection;
    private final FilterChainContext request;
    private final AtomicInteger unsent = new AtomicInteger();
    private volatile @Nullable Runnable waiting;

    /**
     * Creates the output of a stream.
     *
     * @param connection the stream's
     * @param request that the stream has brought; it is not complete while something is written
     */
    Http2Output(NIOConnection connection, FilterChainContext request) {
        this.connection = connection;
        this.request = request;
    }

    /** Something was written: Grizzly tells when all that it has of the stream is sent. */
    void written() {
        unsent.incrementAndGet();
        request.flush(this);
    }

    /**
     * Says whether all is sent.
     *
     * @param then run when it is, if it is not now: by a worker thread, maybe before this returns
     */
    boolean isSent(Runnable then) {
        if (unsent.get() == 0) {
            return true;
        }
        waiting = then;
        return unsent.get() == 0;
    }

    @Override
    public void completed(Object stream) {
        settle();
    }

    @Override
    public void failed(Throwable reason) {
        settle();
    }

    @Override
    public void cancelled() {
        settle();
    }

    /** Not in this thread: Grizzly is amid a write, and would write on within it. */
    private void settle() {
        if (unsent.decrementAndGet() > 0) {
            return;
        }
        Runnable then = waiting;
        if (then != null) {
            connection.getTransport().getWorkerThreadPool().execute(then);
        }
    }
}
