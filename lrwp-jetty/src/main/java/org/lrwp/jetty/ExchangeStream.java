package org.lrwp.jetty;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.HttpChannel;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One exchange as a stream of Jetty's: the events of the peer go to the channel, what the channel
 * sends goes to the peer. Thread-safe; what calls the application runs on the server's threads.
 */
final class ExchangeStream implements HttpStream, ExchangeListener {
    private final PeerExchange exchange;
    private final HttpChannel channel;
    private final LrwpConnector connector;
    private final @Nullable TunnelEndPoint tunnel;
    private final IdleRequest idle;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean committed;
    private volatile boolean complete;
    private volatile boolean upgraded;
    // Guarded by the lock.
    private @Nullable ByteBuffer arrived;
    private boolean whole;
    private boolean demanded;
    private @Nullable Throwable failure;
    private @Nullable Callback pending;
    private boolean ending;

    ExchangeStream(
            PeerExchange exchange,
            HttpChannel channel,
            LrwpConnector connector,
            @Nullable TunnelEndPoint tunnel) {
        this.exchange = exchange;
        this.tunnel = tunnel;
        this.channel = channel;
        this.connector = connector;
        this.idle =
                new IdleRequest(
                        connector.getScheduler(), why -> run(channel.onIdleTimeout(why).action()));
        // What asks for another protocol has no body.
        this.whole = tunnel != null || exchange.request().bodyLength() == 0;
    }

    /** Gives the request to the server. */
    void begin(MetaData.Request request) {
        if (connector.getIdleTimeout() > 0) {
            idle.setIdleTimeout(connector.getIdleTimeout());
        }
        exchange.listen(this);
        Runnable task;
        try {
            task = channel.onRequest(request);
        } catch (RuntimeException e) {
            // Not a request that Jetty takes: it says so to the client.
            task = channel.onFailure(e);
        }
        run(task);
    }

    private void run(@Nullable Runnable task) {
        if (task == null) {
            return;
        }
        try {
            connector.getExecutor().execute(task);
        } catch (RejectedExecutionException e) {
            exchange.abort("the server has stopped");
        }
    }

    // ---- The request's body.

    @Override
    public void onBody(ByteBuffer bytes) {
        if (upgraded && tunnel != null) {
            tunnel.arrived(bytes);
            return;
        }
        idle.notIdle();
        // One piece at a time: what is not read stays with the proxy.
        exchange.pauseBody();
        lock.lock();
        try {
            if (failure == null) {
                arrived = bytes.slice();
            }
        } finally {
            lock.unlock();
        }
        available();
    }

    @Override
    public void onBodyEnd() {
        if (upgraded && tunnel != null) {
            tunnel.ended();
            return;
        }
        lock.lock();
        try {
            whole = true;
        } finally {
            lock.unlock();
        }
        available();
    }

    /** Tells the channel that there is something to read, if it wants to know. */
    private void available() {
        boolean wanted;
        lock.lock();
        try {
            wanted = demanded;
            demanded = false;
        } finally {
            lock.unlock();
        }
        if (wanted) {
            run(channel.onContentAvailable());
        }
    }

    @Override
    public Content.@Nullable Chunk read() {
        Content.Chunk chunk = null;
        lock.lock();
        try {
            ByteBuffer bytes = arrived;
            if (failure != null) {
                return Content.Chunk.from(failure);
            } else if (bytes != null) {
                arrived = null;
                chunk = Content.Chunk.from(bytes, false);
            } else if (whole) {
                return Content.Chunk.EOF;
            }
        } finally {
            lock.unlock();
        }
        if (chunk != null) {
            exchange.resumeBody();
        }
        return chunk;
    }

    @Override
    public void demand() {
        boolean ready;
        lock.lock();
        try {
            ready = arrived != null || whole || failure != null;
            demanded = !ready;
        } finally {
            lock.unlock();
        }
        if (ready) {
            run(channel.onContentAvailable());
        }
    }

    @Override
    public @Nullable Throwable consumeAvailable() {
        return HttpStream.consumeAvailable(this, connector.configuration());
    }

    // ---- The answer.

    @Override
    public void prepareResponse(HttpFields.Mutable headers) {
        // Nothing of the peer's stands in the head.
    }

    @Override
    public void send(
            MetaData.Request request,
            MetaData.@Nullable Response response,
            boolean last,
            @Nullable ByteBuffer content,
            Callback callback) {
        idle.notIdle();
        Throwable gone = pend(callback, last);
        if (gone != null) {
            callback.failed(gone);
            return;
        }
        boolean more;
        try {
            boolean head = HttpMethod.HEAD.is(request.getMethod());
            more = isInterim(response) || send(response, last, copy(head ? null : content));
        } catch (RuntimeException e) {
            finish(callback, e);
            return;
        }
        if (more || last) {
            finish(callback, null);
        }
    }

    /** An interim answer is not sent: those of a connection are the proxy's. */
    private static boolean isInterim(MetaData.@Nullable Response response) {
        return response != null
                && HttpStatus.isInformational(response.getStatus())
                && response.getStatus() != HttpStatus.SWITCHING_PROTOCOLS_101;
    }

    /** Keeps the callback of a write under way; a failure when nobody waits for the answer. */
    private @Nullable Throwable pend(Callback callback, boolean last) {
        lock.lock();
        try {
            if (failure == null) {
                pending = callback;
                ending = last;
            }
            return failure;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("ReferenceEquality") // Whether it is still this very one.
    private void finish(Callback callback, @Nullable Throwable cause) {
        lock.lock();
        try {
            if (pending != callback) {
                return;
            }
            pending = null;
        } finally {
            lock.unlock();
        }
        if (cause == null) {
            callback.succeeded();
        } else {
            callback.failed(cause);
        }
    }

    /** The peer keeps what it is given, and Jetty uses its buffers again. */
    static ByteBuffer copy(@Nullable ByteBuffer content) {
        if (content == null) {
            return ByteBuffer.allocate(0);
        }
        ByteBuffer copy = ByteBuffer.allocate(content.remaining());
        copy.put(content.slice());
        content.position(content.limit());
        return copy.flip();
    }

    /** Returns whether more is welcome. */
    private boolean send(MetaData.@Nullable Response response, boolean last, ByteBuffer bytes) {
        if (response != null) {
            int status = response.getStatus();
            List<HeaderField> fields = AnswerFields.of(response.getHttpFields());
            if (status == HttpStatus.SWITCHING_PROTOCOLS_101) {
                goOver(response.getHttpFields().get(HttpHeader.UPGRADE), fields);
                return true;
            }
            // An answer that the exchange does not take has not begun: Jetty sends another one.
            if (last) {
                exchange.answer(status, fields, bytes);
                committed = true;
                completed();
                return true;
            }
            exchange.respond(status, fields);
            committed = true;
        }
        boolean more = !bytes.hasRemaining() || exchange.write(bytes);
        if (last) {
            exchange.complete();
            completed();
        }
        return more;
    }

    private void completed() {
        complete = true;
        idle.end();
    }

    /** From now on the exchange is a tunnel; Jetty opens its end when this stream has succeeded. */
    private void goOver(@Nullable String protocol, List<HeaderField> fields) {
        if (protocol == null || tunnel == null) {
            throw new IllegalStateException("the client has not asked for another protocol");
        }
        // Before: what the client sends may come at once.
        upgraded = true;
        committed = true;
        complete = true;
        try {
            exchange.upgrade(protocol, fields);
            idle.end();
        } catch (RuntimeException e) {
            upgraded = false;
            committed = false;
            complete = false;
            throw e;
        }
    }

    @Override
    public void onWritable() {
        if (upgraded && tunnel != null) {
            tunnel.writable();
            return;
        }
        idle.notIdle();
        Callback written = takeWelcome();
        if (written != null) {
            run(written::succeeded);
        }
    }

    /** The last write waits for nothing but the end of the answer, and whoever sends says that. */
    private @Nullable Callback takeWelcome() {
        lock.lock();
        try {
            return ending ? null : takePending();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Callback takePending() {
        lock.lock();
        try {
            Callback taken = pending;
            pending = null;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Runnable cancelSend(Throwable cause, Callback callback) {
        Callback written = takePending();
        return () -> {
            if (written != null) {
                written.failed(cause);
            }
            callback.failed(cause);
        };
    }

    // ---- The end.

    @Override
    public void onCancelled(String reason) {
        Throwable gone = new EofException("the request was cancelled: " + reason);
        if (upgraded && tunnel != null) {
            run(() -> tunnel.cut(gone));
            return;
        }
        Callback written;
        lock.lock();
        try {
            failure = gone;
            arrived = null;
            written = pending;
            pending = null;
        } finally {
            lock.unlock();
        }
        run(channel.onRemoteFailure(gone));
        available();
        if (written != null) {
            run(() -> written.failed(gone));
        }
    }

    /** The request has ended, and what Jetty has sent is the answer. */
    @Override
    public void succeeded() {
        if (!upgraded || tunnel == null) {
            end(new IllegalStateException("the answer was not ended"));
        } else if (channel.getRequest().getAttribute(UPGRADE_CONNECTION_ATTRIBUTE)
                instanceof Connection next) {
            tunnel.open(next);
        } else {
            tunnel.close(new IllegalStateException("101 without a connection"));
        }
    }

    @Override
    public void failed(Throwable cause) {
        if (upgraded && tunnel != null) {
            tunnel.close(cause);
        } else {
            end(cause);
        }
    }

    private void end(Throwable cause) {
        if (complete) {
            return;
        }
        completed();
        if (committed || exchange.isCancelled()) {
            exchange.abort(String.valueOf(cause.getMessage()));
        } else {
            exchange.fail(cause);
        }
    }

    @Override
    public boolean isCommitted() {
        return committed;
    }

    @Override
    public String getId() {
        return Integer.toHexString(System.identityHashCode(this));
    }

    @Override
    public long getIdleTimeout() {
        return idle.getIdleTimeout();
    }

    @Override
    public void setIdleTimeout(long idleTimeout) {
        idle.setIdleTimeout(idleTimeout);
    }
}
