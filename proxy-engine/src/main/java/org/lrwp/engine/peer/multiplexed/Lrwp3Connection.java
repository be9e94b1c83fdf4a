package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.ContextRegistrar;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.PeerInstance;
import org.lrwp.engine.peer.PeerLog;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.PeerSlots;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.PeerText;
import org.lrwp.engine.peer.PeerWeight;
import org.lrwp.engine.peer.RemoteConnection;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.Registration;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;
import org.lrwp.protocol.frame.PeerSettings;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A registered LRWP 3 connection: as many slots as its peer says. Its states are drawn at {@link
 * Lrwp3State}.
 *
 * <p>Purpose: many requests share one connection, and each fails alone. Design: a slot is claimed
 * from any thread by a compare-and-set; everything else happens on the link's loop, and what became
 * ready in one round of it is written at its end in one system call. Ordering promises: the
 * contexts have let go of a connection before its requests look for another one; no request follows
 * DRAIN.
 */
public final class Lrwp3Connection implements RemoteConnection, LinkEvents {
    private static final System.Logger LOG = System.getLogger(Lrwp3Connection.class.getName());

    private final Link link;
    private final PeerWeight weight = new PeerWeight();
    private final String name;
    private final String version;
    private final PeerLog log;
    private final Lrwp3Config config;
    private final PeerEnvironment environment;
    private final PeerSlots slots;
    private final StreamTable<PeerStream> streams = new StreamTable<>();
    private final FrameQueue out = new FrameQueue();
    private final ConnectionWriter writer;
    private final FrameReceiver receiver;
    private final String identity;
    private final ConnectionTimer timer;
    private volatile Lrwp3State state = Lrwp3State.GREETING;
    private volatile PeerSettings peer = PeerSettings.DEFAULT;
    private volatile Object instance = this;
    private volatile int most;
    private long announced;

    /**
     * Takes over a link whose peer has been acknowledged.
     *
     * @param link the link
     * @param registration the startup string
     * @param config limits
     * @param environment what it shares with all others
     * @param registrar judges what the peer wants to serve
     */
    public Lrwp3Connection(
            Link link,
            Registration registration,
            Lrwp3Config config,
            PeerEnvironment environment,
            ContextRegistrar registrar) {
        ServedContext first =
                registration.registersNothing() ? null : ServedContext.of(registration);
        this.link = link;
        this.version = registration.versionText();
        this.config = config;
        this.most = config.maxCapacity();
        this.environment = environment;
        this.name = RemoteConnection.nameOf(link);
        this.identity = registrar.identity();
        this.log = new PeerLog(name);
        this.slots = new PeerSlots(this, environment, log, this::endIfDone);
        this.writer = new ConnectionWriter(link, out, new Output());
        this.receiver = new FrameReceiver(this, first, config, registrar);
        this.timer =
                new ConnectionTimer(
                        this, config, environment, limits(first == null ? "" : first.context()));
    }

    /** Registers, sends our SETTINGS and waits for the peer's. On the link's loop, once. */
    public void start() {
        out.add(OutFrame.of(config.settings().encode()));
        receiver.registerFirst();
        timer.start();
        flushSoon();
    }

    // ---- The slots, from any thread.

    @Override
    public @Nullable PeerSlot claim() {
        return slots.claim() ? new PeerStream(this).call() : null;
    }

    @Override
    public void drain() {
        execute(
                () -> {
                    if (state == Lrwp3State.OPEN || state == Lrwp3State.GREETING) {
                        stopRequests("proxy-drains");
                        out.add(OutFrame.of(Frames.drain()));
                        flushSoon();
                    }
                    endIfDone();
                });
    }

    @Override
    public void close(String reason) {
        execute(() -> leave(System.Logger.Level.INFO, reason, Failure.PEER_GONE, false));
    }

    void after(long nanos, Runnable task) {
        environment.deadlines().after(nanos, () -> execute(task));
    }

    /** Bytes that a peer may send on a stream before it is given more. */
    long window() {
        return config.settings().window();
    }

    void execute(Runnable task) {
        link.execute(task);
    }

    // ---- What the peer says of itself, on the loop.

    void opened(PeerSettings settings) {
        peer = settings;
        if (!settings.instance().isEmpty()) {
            instance = new PeerInstance(identity, settings.instance());
        }
        state = Lrwp3State.OPEN;
        capacity(settings.capacity());
        slots.open();
        timer.opened();
        LOG.log(
                System.Logger.Level.INFO,
                "peer-connected peer={0} version={1} name=\"{2}\" capacity={3} stream={4}",
                name,
                version,
                PeerText.escape(settings.name()),
                Integer.toString(slots.capacity()),
                settings.stream() ? 1 : 0);
        slots.slotFree();
    }

    void capacity(long requests) {
        announced = requests;
        slots.capacity((int) Math.min(requests, most));
        slots.slotFree();
    }

    @Override
    public void cap(int requests) {
        most = Math.min(requests, config.maxCapacity());
        execute(
                () -> {
                    if (state == Lrwp3State.OPEN) {
                        capacity(announced);
                    }
                });
    }

    void peerError(String text) {
        String reason = "peer says ERROR: " + text;
        leave(System.Logger.Level.WARNING, reason, Failure.PEER_GONE, false);
    }

    void drained() {
        if (state == Lrwp3State.OPEN) {
            stopRequests("peer-drains");
            endIfDone();
        }
    }

    private void stopRequests(String event) {
        state = Lrwp3State.DRAINING;
        slots.drain(event, streams.open());
    }

    private void endIfDone() {
        if (state == Lrwp3State.DRAINING && streams.open() == 0) {
            end("drained", System.Logger.Level.INFO, Failure.PEER_GONE);
        }
    }

    // ---- Reading, on the loop.

    @Override
    public void readable() {
        if (!read()) {
            boolean inOrder = receiver.isBetweenFrames();
            String reason = inOrder ? "peer closed" : "peer closed inside a frame";
            leave(System.Logger.Level.INFO, reason, Failure.PEER_GONE, inOrder);
        }
    }

    /** Reads what is there; false at the end of input. */
    private boolean read() {
        ByteBuffer in = link.scratch();
        int count;
        try {
            count = link.read(in);
        } catch (IOException e) {
            String reason = "read failed: " + e.getMessage();
            leave(System.Logger.Level.INFO, reason, Failure.PEER_GONE, false);
            return true;
        }
        if (count > 0 && state.isListening()) {
            timer.heard();
            ByteBuffer bytes = in.flip();
            ByteBuffer first = bytes.duplicate();
            try {
                receiver.take(bytes);
            } catch (MalformedFrameException e) {
                fault(String.valueOf(e.getMessage()), first);
            }
        }
        return count >= 0;
    }

    /** The peer has broken a rule: it is told so, and its requests look for other peers. */
    private void fault(String rule, ByteBuffer bytes) {
        LOG.log(
                System.Logger.Level.WARNING,
                "broken-frame peer={0} rule=\"{1}\" bytes={2}",
                name,
                PeerText.sentence(rule),
                PeerText.escape(bytes));
        end(rule, System.Logger.Level.WARNING, Failure.PEER_GONE);
    }

    void answer(byte[] frame) {
        out.add(OutFrame.of(frame));
        flushSoon();
    }

    // ---- Writing, on the loop.

    void flushSoon() {
        writer.flushSoon();
    }

    @Override
    public void writable() {
        writer.writable();
    }

    private final class Output implements ConnectionWriter.Events {
        @Override
        public void blocked(boolean now) {
            timer.blocked(now);
        }

        @Override
        public void written() {
            if (state == Lrwp3State.ENDING) {
                link.shutdownOutput();
            } else {
                endIfDone();
            }
        }

        /** What the peer has said before it left still counts. */
        @Override
        public void failed(IOException failure) {
            boolean more = true;
            while (more && state != Lrwp3State.CLOSED) {
                long before = timer.bytesHeard();
                more = read() && timer.bytesHeard() != before;
            }
            String reason = "write failed: " + failure.getMessage();
            leave(System.Logger.Level.INFO, reason, Failure.PEER_GONE, false);
        }
    }

    // ---- The end, on the loop.

    /** Ends the connection in order: a last frame, the end of our output, and a second. */
    void end(String reason, System.Logger.Level level, Failure failure) {
        if (!state.isListening()) {
            return;
        }
        if (state != Lrwp3State.DRAINING || streams.open() > 0) {
            out.clear();
            out.add(OutFrame.of(Frames.text(FrameType.ERROR, 0, reason)));
        }
        release(level, reason, failure, false, Lrwp3State.ENDING);
        timer.ending();
        flushSoon();
    }

    /** Closes the connection at once. */
    void leave(System.Logger.Level level, String reason, Failure failure, boolean inOrder) {
        if (state.isListening()) {
            out.clear();
            release(level, reason, failure, inOrder, Lrwp3State.CLOSED);
        }
        state = Lrwp3State.CLOSED;
        if (timer.close()) {
            link.close();
            environment.work().gone(this);
        }
    }

    /** Lets go of contexts and requests; nothing may be queued that would take of their bodies. */
    private void release(
            System.Logger.Level level,
            String reason,
            Failure failure,
            boolean inOrder,
            Lrwp3State next) {
        state = next;
        slots.close();
        log.left(level, receiver.contexts().names(), slots.served(), reason);
        for (PeerStream stream : streams.all()) {
            stream.lost(failure, inOrder);
        }
    }

    // ---- For streams and timer, on the loop.
    PeerSlots slots() {
        return slots;
    }

    StreamTable<PeerStream> streams() {
        return streams;
    }

    FrameQueue out() {
        return out;
    }

    ConnectionWriter writer() {
        return writer;
    }

    PeerSettings peer() {
        return peer;
    }

    long now() {
        return environment.clock().nanos();
    }

    PeerConfig limits(String context) {
        return environment.limits().of(context);
    }

    /** Whether a request can be sent. One whose last peer has left may have it here again. */
    boolean takes(Attempt next) {
        if (next.isMoved()) {
            readable();
        }
        return state == Lrwp3State.OPEN && streams.open() < slots.capacity();
    }

    Lrwp3State state() {
        return state;
    }

    /** A stream has frames to write, or another moment at which it is late. */
    void changed(PeerStream stream, long now) {
        watch(stream, now);
        flushSoon();
    }

    /** A stream has another moment at which it is late. */
    void watch(PeerStream stream, long now) {
        timer.watch(stream.call().left(now), now);
    }

    PeerLog log() {
        return log;
    }

    // ---- Views.
    @Override
    public String peerName() {
        return name;
    }

    @Override
    public PeerWeight weight() {
        return weight;
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public boolean isStreaming() {
        return peer.stream();
    }

    @Override
    public boolean takesUpgrade(UpgradeNames offer) {
        return peer.upgrade().takes(offer);
    }

    @Override
    public Object instance() {
        return instance;
    }

    @Override
    public int capacity() {
        return slots.capacity();
    }

    @Override
    public int free() {
        return slots.free();
    }

    @Override
    public PeerStatus status() {
        return slots.status(version, receiver.contexts().list(), state).calling(peer.name());
    }
}
