package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.RequestFrameParser;
import org.lrwp.sdk.spi.Refusals;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A connection of LRWP 1 or 2: one request at a time.
 *
 * <pre>
 *           first byte
 *   IDLE ----------------> BUSY
 *    |  <----------------   |
 *    |     answer written   | leave()
 *    | leave()              v
 *    +------> CLOSED <--- LEAVING
 * </pre>
 *
 * <p>One thread serves, the handler included; any thread may call {@link #leave()}. The closing of
 * the socket belongs to whoever opened it; leaving an idle connection closes it early.
 */
final class SerialConnection implements PeerConnection {
    /**
     * What a leaving peer waits for the proxy's end of the connection, so that no reset follows.
     */
    private static final Duration LINGER = Duration.ofSeconds(1);

    private enum State {
        IDLE,
        BUSY,
        LEAVING,
        CLOSED
    }

    private final ProxySocket socket;
    private final FrameInput in;
    private final OutputStream out;
    private final ConnectionEvents events;
    private final PeerConfig settings;
    private final WriteWatch watch;
    private final RequestFrameParser parser;
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    private volatile boolean aborted;
    private volatile @Nullable Thread serving;

    SerialConnection(
            ProxySocket socket, FrameInput in, ConnectionEvents events, PeerConfig settings)
            throws IOException {
        this.socket = socket;
        this.in = in;
        this.out = socket.output();
        this.events = events;
        this.settings = settings;
        this.watch = new WriteWatch(settings.surroundings().nanoTime());
        this.parser = new RequestFrameParser(settings.limits().environment());
    }

    @Override
    public void serve() throws IOException, MalformedFrameException {
        serving = Thread.currentThread();
        while (awaitRequest()) {
            readHead();
            answer();
            if (!state.compareAndSet(State.BUSY, State.IDLE)) {
                finish();
                return;
            }
        }
    }

    @Override
    public void leave() {
        while (true) {
            State now = state.get();
            boolean idle = now == State.IDLE && !hasArrived();
            State next = idle ? State.CLOSED : State.LEAVING;
            if (now == State.LEAVING || now == State.CLOSED) {
                return;
            }
            if (state.compareAndSet(now, next)) {
                if (idle) {
                    socket.closeQuietly();
                }
                return;
            }
        }
    }

    @Override
    public void abort() {
        aborted = true;
        socket.closeQuietly();
        Thread running = serving;
        if (running != null) {
            running.interrupt();
        }
    }

    @Override
    public boolean isStalled(long nanos) {
        return watch.isStalled(nanos);
    }

    /** A request that has arrived before the peer left is still answered. */
    private boolean hasArrived() {
        try {
            return in.isAhead() || socket.input().available() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Waits, for ever, for the first byte of a request; false when this side has left. */
    private boolean awaitRequest() throws IOException {
        if (!in.arrived().hasRemaining()) {
            in.waitAtMost(Duration.ZERO);
            if (!in.fill()) {
                throw new EOFException("the proxy closed the connection");
            }
        }
        State now = state.compareAndExchange(State.IDLE, State.BUSY);
        return now != State.CLOSED;
    }

    private void readHead() throws IOException, MalformedFrameException {
        parser.reset();
        in.waitAtMost(settings.times().stall());
        while (!parser.feed(in.arrived())) {
            in.require("a request");
        }
    }

    private void answer() throws IOException {
        long length = parser.bodyLength();
        BodyInputStream body = new BodyInputStream(in, length);
        RequestHead head = new EnvironmentHead(parser.environment(), length);
        AnswerFrame answer =
                length > settings.limits().body()
                        ? AnswerFrame.of(Refusals.tooLarge())
                        : answer(head, body);
        body.finish();
        if (state.get() == State.LEAVING) {
            answer.writeLastTo(socket, watch::begin);
        } else {
            answer.writeTo(out, watch::begin);
        }
        watch.end();
    }

    private AnswerFrame answer(RequestHead head, BodyInputStream body) throws IOException {
        Admission admission = settings.admit();
        if (admission != null && isRefused(admission, head)) {
            return AnswerFrame.of(Refusals.unavailable());
        }
        if (settings.handler() instanceof PeerHandler.Asynchronous asynchronous) {
            return new SerialExchange(
                            asynchronous.handler(), events, in, SerialExchange.WATCH_AFTER)
                    .answer(head, body, () -> aborted);
        }
        var blocking = (PeerHandler.Blocking) settings.handler();
        return new HandlerCall(blocking.handler(), events).answer(head, body, () -> aborted);
    }

    private boolean isRefused(Admission admission, RequestHead head) {
        try {
            return admission.refusal(head) != null;
        } catch (RuntimeException e) {
            events.handlerFailed(e);
            return false;
        }
    }

    /**
     * Ends the connection behind the last answer. The proxy has to read that answer, and a close
     * with bytes unread would take it back by a reset.
     */
    private void finish() throws IOException {
        state.set(State.CLOSED);
        if (!socket.isOutputShutdown()) {
            socket.shutdownOutput();
        }
        in.waitAtMost(LINGER);
        byte[] dropped = new byte[1024];
        try {
            while (in.read(dropped, 0, dropped.length) >= 0) {
                // A request that crossed the end of this connection; the proxy sees it unanswered.
            }
        } catch (SocketTimeoutException e) {
            // A proxy that keeps its end open has had its time.
            socket.closeQuietly();
        }
    }
}
