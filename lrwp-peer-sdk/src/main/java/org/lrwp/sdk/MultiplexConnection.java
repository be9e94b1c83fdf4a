package org.lrwp.sdk;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.FrameParser;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;
import org.lrwp.protocol.frame.RegisteredAnswer;
import org.lrwp.protocol.frame.RequestPayload;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * A connection of LRWP 3: docs/protocol.md sections 13 to 16.
 *
 * <pre>
 *             leave(): DRAIN sent                proxy closes
 *   SERVING ---------------------> LEAVING ------------------> CLOSED
 *      |  the proxy's DRAIN           |                           ^
 *      +-----------------> DRAINED ---+---------------------------+
 *      +--------- abort(), a fault: output shut down, input read to its end
 * </pre>
 *
 * <p>One thread reads, and never waits for a handler or for the socket's other direction; {@code
 * FrameWriter} writes. Any thread may call {@link #leave()}, {@link #abort()}, {@link #capacity}
 * and {@link #contexts}.
 */
final class MultiplexConnection implements PeerConnection {
    private static final int READ_BUFFER = 65_536;

    private enum State {
        SERVING,
        LEAVING,
        DRAINED,
        CLOSED
    }

    private final FrameInput in;
    private final FrameParser parser;
    private final LongSupplier nanoTime;
    private final WriteWatch watch;
    private final FrameWriter writer;
    private final Streams streams;
    private final ServedContexts served;
    private final ConnectionEvents events;
    private final AtomicReference<State> state = new AtomicReference<>(State.SERVING);

    /**
     * Creates a connection whose handshake is over and whose proxy has sent its settings.
     *
     * @param capacity requests at once, 0 or more
     */
    MultiplexConnection(
            ProxySocket socket,
            ProxyGreeting greeting,
            PeerConfig config,
            int capacity,
            ServedContexts served,
            ConnectionEvents events)
            throws IOException {
        this.in = greeting.in();
        this.parser = greeting.parser();
        this.nanoTime = config.surroundings().nanoTime();
        this.watch = new WriteWatch(nanoTime);
        this.writer =
                new FrameWriter(
                        socket, greeting.settings().maxFrame(), watch, new Gathering(nanoTime));
        this.streams = new Streams(writer, config, greeting.settings().window(), capacity, events);
        this.served = served;
        this.events = events;
        writer.urgent(config.settings(capacity).encode());
    }

    @Override
    public void serve() throws IOException, MalformedFrameException {
        in.enlarge(READ_BUFFER);
        served.start(writer);
        PeerThreads.start("lrwp-writer", writer);
        try {
            read();
        } catch (MalformedFrameException e) {
            complain(e);
            throw e;
        } finally {
            streams.lost("the connection is lost");
            writer.close();
        }
    }

    private void read() throws IOException, MalformedFrameException {
        in.waitAtMost(Duration.ZERO);
        do {
            while (parser.next(in.arrived())) {
                take();
            }
        } while (in.fill());
        boolean inOrder = state.get() != State.SERVING && !streams.isBusy();
        if (parser.isInsideFrame() || !inOrder) {
            throw new EOFException("the proxy closed the connection");
        }
    }

    private void take() throws IOException, MalformedFrameException {
        FrameType type = parser.type();
        int stream = parser.stream();
        switch (type) {
            case REQUEST -> request(stream);
            case DATA -> streams.data(stream, parser.payload(), parser.end());
            case CANCEL -> streams.cancel(stream, Frames.text(parser.payload()));
            case WINDOW -> streams.window(stream, Frames.credit(parser.payload()));
            case PING -> writer.urgent(Frames.pong(parser.payload()));
            case PONG -> Frames.opaque(parser.payload());
            case REGISTERED -> served.answered(RegisteredAnswer.parse(parser.payload()), events);
            case DRAIN -> drained();
            case ERROR ->
                    throw new IOException(
                            "the proxy found a fault: "
                                    + LoggingListener.quoted(Frames.text(parser.payload())));
            case SETTINGS, REGISTER, UNREGISTER, RESPONSE, STARTED, REFUSED, CAPACITY ->
                    throw new MalformedFrameException(type + " from a proxy");
        }
    }

    private void request(int stream) throws MalformedFrameException {
        RequestPayload payload = RequestPayload.parse(parser.payload(), streams.envLimit());
        streams.request(stream, payload, parser.end());
    }

    private void drained() {
        if (state.compareAndSet(State.SERVING, State.DRAINED)) {
            events.draining();
        }
    }

    /** Tells the proxy what it did, and reads on for a while so that no reset takes it back. */
    private void complain(MalformedFrameException fault) throws IOException {
        state.set(State.CLOSED);
        writer.urgent(Complaint.frame(fault));
        writer.end();
        Complaint.readOn(in, nanoTime, fault);
    }

    @Override
    public void leave() {
        State now = state.get();
        if (now == State.SERVING || now == State.DRAINED) {
            if (state.compareAndSet(now, State.LEAVING)) {
                writer.urgent(Frames.drain());
            } else {
                leave();
            }
        }
    }

    @Override
    public void abort() {
        state.set(State.LEAVING);
        streams.lost("the peer leaves");
        writer.end();
    }

    @Override
    public boolean isStalled(long nanos) {
        return watch.isStalled(nanos);
    }

    @Override
    public void capacity(int requests) {
        streams.capacity(requests);
    }

    @Override
    public void contexts(List<String> contexts) {
        served.wanted(contexts);
    }
}
