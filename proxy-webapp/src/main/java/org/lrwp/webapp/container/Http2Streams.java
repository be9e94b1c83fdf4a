package org.lrwp.webapp.container;

import org.glassfish.grizzly.CloseReason;
import org.glassfish.grizzly.CloseType;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.asyncqueue.MessageCloner;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.http2.Http2ServerFilter;
import org.glassfish.grizzly.http2.Http2Stream;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.nio.NIOConnection;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * The streams of one HTTP/2 connection whose requests are under way: notices those that the client
 * resets, of which Grizzly tells nobody, and ends the connection of a client that does so in masses
 * (RFC 9113 section 10.5) or reads nothing. Any thread; nothing blocks.
 */
final class Http2Streams {
    private static final System.Logger LOG = System.getLogger(Http2Streams.class.getName());
    private static final long WINDOW_NANOS = Duration.ofSeconds(10).toNanos();

    /** Much longer than it takes until somebody looks again. */
    private static final long WAIT_MILLIS = Duration.ofSeconds(30).toMillis();

    private static final int RST_STREAM = 3;
    private static final int GOAWAY = 7;
    private static final int FRAME_HEAD = 9;
    private static final int INTERNAL_ERROR = 2;
    private static final int ENHANCE_YOUR_CALM = 0xb;

    /** A name of its own: another copy of this application may have put its objects there. */
    private static final Attribute<Http2Streams> KNOWN =
            Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute(
                    "org.lrwp.streams." + System.identityHashCode(Http2Streams.class));

    private final NIOConnection connection;
    private final Http2Watch watch;
    private final IdleTime idle;
    private final Map<Http2Stream, Runnable> open = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private long windowBegin;
    private int resets;
    private int lastStream;
    private volatile boolean cut;

    private final AtomicLong taken = new AtomicLong();

    /** Of the thread that looks. */
    private long seen;

    private long unreadSince;

    private Http2Streams(NIOConnection connection, Http2Watch watch) {
        this.connection = connection;
        this.watch = watch;
        this.idle = IdleTime.of(connection, 0, InstantSource.system());
        this.windowBegin = watch.clock().nanos();
    }

    /** Those of a connection; made when its client first sends a frame, or a request. */
    static Http2Streams of(NIOConnection connection, Http2Watch watch) {
        Http2Streams known = KNOWN.get(connection);
        if (known != null) {
            return known;
        }
        synchronized (connection) {
            known = KNOWN.get(connection);
            if (known == null) {
                known = new Http2Streams(connection, watch);
                KNOWN.set(connection, known);
                known.begin();
            }
            return known;
        }
    }

    /** Looks at the streams of a connection, if it has any: its client has sent something. */
    static void look(Connection<?> connection) {
        Http2Streams known = KNOWN.get(connection);
        if (known != null) {
            known.look();
        }
    }

    /** One listener for all requests of a connection, which may be very many. */
    private void begin() {
        WhenClosed.of(connection, this::departAll);
        ContainerQueue.onTaken(connection, taken::addAndGet);
        // Behind TLS nobody tells when the client has sent something.
        watch.looks()
                .accept(
                        () -> {
                            look();
                            cutUnread();
                            waitForAnswers();
                            return connection.isOpen();
                        });
    }

    /** The container takes a client that waits for its answers for one that is silent. */
    private void waitForAnswers() {
        if (!open.isEmpty()) {
            idle.prolong(WAIT_MILLIS);
        }
    }

    /** Nothing else ends a client that reads nothing: its streams cannot even be reset. */
    private void cutUnread() {
        long now = watch.clock().nanos();
        long known = taken.get();
        if (known != seen || ContainerQueue.bytes(connection) == 0) {
            seen = known;
            unreadSince = now;
        } else if (now - unreadSince >= watch.stallTime().get().toNanos()) {
            ConnectionCut.cut(connection, true);
        }
    }

    /**
     * A request has come. One whose stream has been reset before anybody saw it counts too.
     *
     * @return false when it must not be done
     */
    boolean admits(Http2Stream stream) {
        lock.lock();
        try {
            lastStream = Math.max(lastStream, stream.getId());
        } finally {
            lock.unlock();
        }
        look();
        if (!cut && isReset(stream)) {
            count();
            return false;
        }
        return !cut;
    }

    /** Has somebody told when the client resets a stream, or leaves with all of them. */
    @SuppressWarnings("deprecation") // Of the second parameter: streams have no other listener.
    void onDeparture(Http2Stream stream, Runnable listener) {
        open.put(stream, listener);
        stream.addCloseListener((closed, type) -> ended(stream, type == CloseType.REMOTELY));
        if (!connection.isOpen()) {
            departAll();
        }
    }

    private void ended(Http2Stream stream, boolean byClient) {
        Runnable listener = open.remove(stream);
        if (listener != null && byClient) {
            count();
            listener.run();
        }
    }

    /** Whether its connection is ended, so that nothing more of it is read. */
    boolean isCut() {
        return cut;
    }

    /** Ends the connection. One that reads nothing of it is not told why. */
    void end(Http2Fault fault) {
        int last;
        lock.lock();
        try {
            if (cut) {
                return;
            }
            cut = true;
            last = lastStream;
        } finally {
            lock.unlock();
        }
        LOG.log(
                Level.WARNING,
                "http2-cut client={0} reason=\"{1}\"",
                connection.getPeerAddress(),
                fault.reason());
        if (fault == Http2Fault.ANSWERS_UNREAD) {
            ConnectionCut.cut(connection, true);
        } else {
            goAway(last, fault.code());
        }
    }

    private void look() {
        for (Http2Stream stream : open.keySet()) {
            if (isReset(stream)) {
                ended(stream, true);
            }
        }
    }

    /** Whether the client has ended it: one that is answered has ended too. */
    private static boolean isReset(Http2Stream stream) {
        if (stream.isOpen()) {
            return false;
        }
        Future<CloseReason> reason = stream.closeFuture();
        try {
            return reason.isDone() && reason.get().getType() == CloseType.REMOTELY;
        } catch (ExecutionException e) {
            LOG.log(Level.DEBUG, "stream-ended", e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void departAll() {
        for (Http2Stream stream : List.copyOf(open.keySet())) {
            Runnable listener = open.remove(stream);
            if (listener != null) {
                listener.run();
            }
        }
    }

    /** The client has reset a stream. */
    private void count() {
        int last;
        lock.lock();
        try {
            long now = watch.clock().nanos();
            if (now - windowBegin > WINDOW_NANOS) {
                windowBegin = now;
                resets = 0;
            }
            resets++;
            if (cut || watch.mostResets() == 0 || resets <= watch.mostResets()) {
                return;
            }
            cut = true;
            last = lastStream;
        } finally {
            lock.unlock();
        }
        LOG.log(
                Level.WARNING,
                "http2-resets client={0} limit={1}",
                connection.getPeerAddress(),
                watch.mostResets());
        goAway(last, ENHANCE_YOUR_CALM);
    }

    /** Says why, and closes the connection when that is out: RFC 9113 section 6.8. */
    private void goAway(int last, int code) {
        send(GOAWAY, 0, last, code);
        connection.closeSilently();
    }

    /**
     * Ends a stream in the middle of its answer. Grizzly drops what waits, but tells the client
     * nothing: RFC 9113 section 8.1 wants a reset.
     */
    void cut(Http2Stream stream) {
        stream.terminateSilently();
        send(RST_STREAM, stream.getId(), INTERNAL_ERROR);
    }

    /** Sends a frame whose payload is numbers, behind what waits already. */
    private void send(int type, int stream, int... payload) {
        if (connection.getProcessor() instanceof FilterChain chain) {
            int index = chain.indexOfType(Http2ServerFilter.class);
            if (index > 0) {
                int length = payload.length * Integer.BYTES;
                var frame = ByteBuffer.allocate(FRAME_HEAD + length);
                frame.putInt(length << Byte.SIZE | type).put((byte) 0).putInt(stream);
                IntStream.of(payload).forEach(frame::putInt);
                write((FilterChain) chain.subList(0, index), frame.flip());
            }
        }
    }

    @SuppressWarnings("rawtypes") // As the container has them.
    private void write(FilterChain below, ByteBuffer frame) {
        var message = Buffers.wrap(connection.getMemoryManager(), frame);
        below.write((Connection) connection, null, message, null, (MessageCloner) null);
    }
}
