package org.lrwp.webapp.container;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.CompletionHandler;
import org.glassfish.grizzly.WriteResult;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.FilterChainContext.TransportContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpContent;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.Method;
import org.glassfish.grizzly.http2.Http2ServerFilter;
import org.glassfish.grizzly.http2.Http2Session;
import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before the container's HTTP/2 on one connection, which waits for the rest of a head for
 * ever, and keeps whatever it answers for a client that does not read: ends the connection of a
 * client that does so. Any thread, but one at a time reads; nothing blocks.
 */
@SuppressWarnings("rawtypes") // As the container has them.
public final class Http2Guard extends BaseFilter {
    /** Frames that wait for the client. Those of bodies are not among them: windows hold them. */
    private static final int MOST_UNREAD = 1000;

    private static final int FRAME_HEAD = 9;
    private static final int PLACE_OF_TYPE = 3;
    private static final int DATA = 0;

    private final Http2Watch watch;
    private final Http2Frames frames;
    private final AtomicInteger unread = new AtomicInteger();
    private final AtomicBoolean looked = new AtomicBoolean();

    /** Heads that have begun; of the thread that reads. */
    private int heads = -1;

    /** The preface must come. */
    private volatile boolean expected;

    /** It has begun. */
    private volatile boolean begun;

    /** It is not whole, or a head. */
    private volatile boolean open;

    private volatile long since;

    private Http2Guard(Http2Watch watch) {
        this.watch = watch;
        this.frames = new Http2Frames(watch.headLimit());
    }

    /**
     * Puts a guard before the container's HTTP/2, where that is spoken and none stands there.
     *
     * @param connection of a client that has not spoken HTTP/2 yet
     * @param watch knows the limits
     */
    public static void guard(NIOConnection connection, Http2Watch watch) {
        if (connection.getProcessor() instanceof FilterChain filters) {
            int place = filters.indexOfType(Http2ServerFilter.class);
            if (place >= 0 && filters.indexOfType(Http2Guard.class) < 0) {
                FilterChainBuilder builder = FilterChainBuilder.stateless().addAll(filters);
                builder.add(place, new Http2Guard(watch));
                connection.setProcessor(builder.build());
            }
        }
    }

    /**
     * A client has agreed on HTTP/2, and has to begin with it.
     *
     * @param connection the client's
     */
    public static void expect(NIOConnection connection) {
        if (connection.getProcessor() instanceof FilterChain filters) {
            int place = filters.indexOfType(Http2Guard.class);
            if (place >= 0 && filters.get(place) instanceof Http2Guard guard) {
                guard.expectPreface(connection);
            }
        }
    }

    private void expectPreface(NIOConnection connection) {
        if (!begun && !expected) {
            since = watch.clock().nanos();
            expected = true;
            haveLooked(connection);
        }
    }

    @Override
    public NextAction handleRead(FilterChainContext context) {
        if (!(context.getMessage() instanceof HttpContent content)
                || !(content.getHttpHeader() instanceof HttpRequestPacket request)
                || !(context.getConnection() instanceof NIOConnection connection)) {
            return context.getInvokeAction();
        }
        if (!Method.PRI.equals(request.getMethod())) {
            if (request.isUpgrade() && content.isLast()) {
                context.addCompletionListener(over -> upgraded(connection));
            }
            return context.getInvokeAction();
        }
        begun = true;
        Http2Streams streams = Http2Streams.of(connection, watch);
        Http2Fault fault = streams.isCut() ? null : frames.read(content.getContent());
        if (fault != null) {
            streams.end(fault);
        }
        if (streams.isCut()) {
            return context.getStopAction();
        }
        time(connection);
        return context.getInvokeAction();
    }

    /** A request that asks for HTTP/2 is over: the container has agreed, or has not. */
    private void upgraded(NIOConnection connection) {
        if (Http2Session.get(connection) != null) {
            expectPreface(connection);
        }
    }

    /** Each head has a time of its own. */
    private void time(NIOConnection connection) {
        if (frames.heads() != heads) {
            heads = frames.heads();
            since = watch.clock().nanos();
        }
        open = frames.isOpen();
        if (open) {
            haveLooked(connection);
        }
    }

    private void haveLooked(NIOConnection connection) {
        if (looked.compareAndSet(false, true)) {
            watch.looks().accept(() -> look(connection));
        }
    }

    private boolean isAwaited() {
        return open || (expected && !begun);
    }

    /** Whether to look again. */
    private boolean look(NIOConnection connection) {
        if (!connection.isOpen()) {
            return false;
        }
        if (!isAwaited()) {
            looked.set(false);
            // The next may have begun meanwhile, and believed that somebody looks.
            return isAwaited() && looked.compareAndSet(false, true);
        }
        if (watch.clock().nanos() - since < watch.headTime().get().toNanos()) {
            return true;
        }
        Http2Streams.of(connection, watch).end(Http2Fault.HEAD_TOO_SLOW);
        return false;
    }

    @Override
    public NextAction handleWrite(FilterChainContext context) {
        if (begun
                && context.getMessage() instanceof Buffer message
                && isNoBody(message)
                && context.getConnection() instanceof NIOConnection connection) {
            TransportContext transport = context.getTransportContext();
            transport.setCompletionHandler(new Taken(transport.getCompletionHandler()));
            if (unread.incrementAndGet() > MOST_UNREAD) {
                Http2Streams.of(connection, watch).end(Http2Fault.ANSWERS_UNREAD);
            }
        }
        return context.getInvokeAction();
    }

    private static boolean isNoBody(Buffer frames) {
        return frames.remaining() >= FRAME_HEAD
                && frames.get(frames.position() + PLACE_OF_TYPE) != DATA;
    }

    /** Hears that the system has taken frames, or never will. */
    private final class Taken implements CompletionHandler<WriteResult> {
        private final @Nullable CompletionHandler<WriteResult> next;

        @SuppressWarnings("unchecked") // It gets what this one gets.
        Taken(@Nullable CompletionHandler next) {
            this.next = next;
        }

        @Override
        public void completed(WriteResult result) {
            unread.decrementAndGet();
            if (next != null) {
                next.completed(result);
            }
        }

        @Override
        public void failed(Throwable reason) {
            unread.decrementAndGet();
            if (next != null) {
                next.failed(reason);
            }
        }

        @Override
        public void cancelled() {
            unread.decrementAndGet();
            if (next != null) {
                next.cancelled();
            }
        }

        @Override
        public void updated(WriteResult result) {
            if (next != null) {
                next.updated(result);
            }
        }
    }
}
