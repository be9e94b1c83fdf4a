package org.lrwp.engine.peer.serial;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.Progress;
import org.lrwp.engine.peer.PeerConfig;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.PeerLog;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.PeerText;
import org.lrwp.engine.peer.PeerWeight;
import org.lrwp.engine.peer.RemoteConnection;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.time.SharedDeadline;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.FilterSkipper;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.Registration;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A registered LRWP 1 or 2 connection: one slot. Its states are drawn at {@link Lrwp1State}.
 *
 * <p>Purpose: one request goes out, one answer comes back, and whatever else a peer does costs at
 * most that request. Design: the slot is claimed from any thread by a compare-and-set from IDLE;
 * everything else happens on the link's loop. Ordering promises: the contexts have let go of a
 * connection before its failed request looks for another one.
 */
public final class Lrwp1Connection implements RemoteConnection, PeerSlot, LinkEvents {
    private static final System.Logger LOG = System.getLogger(Lrwp1Connection.class.getName());

    private final Link link;
    private final PeerWeight weight = new PeerWeight();
    private final Registration registration;
    private final PeerConfig config;
    private final PeerEnvironment environment;
    private final String name;
    private final String identity;
    private final AnswerReader answers;
    private final EnvBlockWriter block = new EnvBlockWriter();
    private final AtomicReference<Lrwp1State> state = new AtomicReference<>(Lrwp1State.SETTLING);
    private final AtomicLong served = new AtomicLong();
    private final SharedDeadline deadline;
    private @Nullable FilterSkipper filter;
    private @Nullable Attempt attempt;
    private @Nullable RequestSender sender;
    private long lastProgress;
    private boolean draining;

    /**
     * Takes over a link whose peer has been acknowledged.
     *
     * @param link the link
     * @param registration what the peer serves
     * @param config limits of its context
     * @param environment what it shares with all others
     * @param filter skips what is left of the startup string
     * @param identity whose peer it is, by name
     */
    public Lrwp1Connection(
            Link link,
            Registration registration,
            PeerConfig config,
            PeerEnvironment environment,
            FilterSkipper filter,
            String identity) {
        this.link = link;
        this.registration = registration;
        this.config = config;
        this.environment = environment;
        this.filter = filter;
        this.identity = identity;
        this.name = RemoteConnection.nameOf(link);
        String context = registration.context();
        this.answers = new AnswerReader(new PeerLog(name), context, config.answerHead());
        this.deadline =
                new SharedDeadline(environment.deadlines(), 0, () -> link.execute(this::check));
    }

    /**
     * Makes the slot free for the first time.
     *
     * @param delayNanos how long to wait before, in nanoseconds; 0 = not at all
     */
    public void settle(long delayNanos) {
        if (delayNanos == 0) {
            becomeIdle(Lrwp1State.SETTLING);
        } else {
            Runnable free = () -> becomeIdle(Lrwp1State.SETTLING);
            environment.deadlines().after(delayNanos, () -> link.execute(free));
        }
    }

    private void becomeIdle(Lrwp1State from) {
        if (!state.compareAndSet(from, Lrwp1State.IDLE)) {
            return;
        }
        if (draining && claim() != null) {
            leave(System.Logger.Level.INFO, "proxy drains", Failure.PEER_GONE);
        } else {
            environment.work().slotFree(this);
        }
    }

    // ---- The slot, from any thread.

    @Override
    public @Nullable PeerSlot claim() {
        return state.get() == Lrwp1State.IDLE
                        && state.compareAndSet(Lrwp1State.IDLE, Lrwp1State.CLAIMED)
                ? this
                : null;
    }

    @Override
    public void release() {
        state.compareAndSet(Lrwp1State.CLAIMED, Lrwp1State.IDLE);
    }

    @Override
    public boolean send(Exchange exchange) {
        Attempt next = exchange.assign(this);
        if (next == null) {
            return false;
        }
        link.execute(() -> begin(next));
        return true;
    }

    @Override
    public PeerConnection connection() {
        return this;
    }

    @Override
    public boolean isStreaming() {
        return false;
    }

    @Override
    public void cancel() {
        // LRWP 1 has no word for it: the peer goes on, and its answer is drained.
    }

    @Override
    public void drain() {
        link.execute(
                () -> {
                    draining = true;
                    if (claim() != null) {
                        close("proxy drains");
                    }
                });
    }

    @Override
    public void close(String reason) {
        link.execute(() -> leave(System.Logger.Level.INFO, reason, Failure.PEER_GONE));
    }

    // ---- The request, on the loop.

    private void begin(Attempt next) {
        if (state.get() == Lrwp1State.CLOSED) {
            next.failed(Failure.PEER_GONE, Progress.NOT_SENT);
            return;
        }
        attempt = next;
        if (config.lookBeforeSend()) {
            readable();
            if (state.get() == Lrwp1State.CLOSED) {
                return;
            }
        }
        filter = null;
        state.set(Lrwp1State.SENDING);
        answers.reset();
        sender = new RequestSender(next.frameHead(block), next.passingBody(), this::bodyReady);
        lastProgress = environment.clock().nanos();
        write();
        watch();
    }

    private void bodyReady() {
        link.execute(this::writable);
    }

    @Override
    public void writable() {
        lastProgress = environment.clock().nanos();
        write();
    }

    private void write() {
        RequestSender current = sender;
        if (current == null) {
            return;
        }
        try {
            if (!current.send(link)) {
                if (!current.isStarved()) {
                    link.awaitWritable();
                }
                return;
            }
        } catch (IOException e) {
            leave(System.Logger.Level.INFO, "write failed: " + e.getMessage(), Failure.PEER_GONE);
            return;
        }
        if (state.compareAndSet(Lrwp1State.SENDING, Lrwp1State.WAITING)) {
            lastProgress = environment.clock().nanos();
        } else if (state.get() == Lrwp1State.FINISHING) {
            finish();
        }
    }

    // ---- The answer, on the loop.

    @Override
    public void readable() {
        ByteBuffer in = link.scratch();
        int count;
        try {
            count = link.read(in);
        } catch (IOException e) {
            leave(System.Logger.Level.INFO, "read failed: " + e.getMessage(), Failure.PEER_GONE);
            return;
        }
        if (count < 0) {
            leave(System.Logger.Level.INFO, "peer closed", Failure.PEER_GONE);
        } else if (count > 0) {
            lastProgress = environment.clock().nanos();
            take(in.flip());
        }
    }

    private void take(ByteBuffer in) {
        Attempt current = attempt;
        Lrwp1State now = state.get();
        if (current == null || (now != Lrwp1State.SENDING && now != Lrwp1State.WAITING)) {
            takeUnasked(in);
            return;
        }
        ByteBuffer first = in.duplicate();
        boolean whole;
        try {
            whole = answers.feed(in, current);
        } catch (MalformedFrameException e) {
            String reason = e.getMessage() + ", bytes=" + PeerText.escape(first);
            leave(System.Logger.Level.WARNING, reason, Failure.BROKEN_FRAME);
            return;
        }
        if (whole) {
            answered(current, in);
            return;
        }
        // Old peers write length and body apart: their body would wait for our delayed ACK.
        link.acknowledge();
        if (answers.isDropping() && state.get() == Lrwp1State.SENDING) {
            // The request is given up, so the rest of it cannot be sent any more.
            leave(System.Logger.Level.INFO, "broken answer to half a request", Failure.PEER_GONE);
        } else if (!current.hasRoom()) {
            link.reading(false);
            current.onRoom(() -> link.execute(this::resume));
        }
    }

    private void takeUnasked(ByteBuffer in) {
        FilterSkipper skipper = filter;
        if (skipper == null || !skipper.skip(in)) {
            String reason = "bytes nobody asked for, bytes=" + PeerText.escape(in);
            leave(System.Logger.Level.WARNING, reason, Failure.PEER_GONE);
        }
    }

    private void resume() {
        lastProgress = environment.clock().nanos();
        link.reading(true);
    }

    private void answered(Attempt current, ByteBuffer rest) {
        served.incrementAndGet();
        current.answered(answers.last());
        if (rest.hasRemaining()) {
            attempt = null;
            current.end();
            String reason = "bytes behind the answer, bytes=" + PeerText.escape(rest);
            leave(System.Logger.Level.WARNING, reason, Failure.PEER_GONE);
        } else if (state.compareAndSet(Lrwp1State.SENDING, Lrwp1State.FINISHING)) {
            LOG.log(System.Logger.Level.DEBUG, "answered-early peer={0}", name);
        } else {
            finish();
        }
    }

    /** The request is wholly written and the answer whole: the slot is free. */
    private void finish() {
        Attempt current = attempt;
        attempt = null;
        sender = null;
        if (current != null) {
            current.end();
        }
        becomeIdle(state.get());
    }

    // ---- Time, on the loop. One deadline serves all requests of the connection, one after the
    // other.

    private void watch() {
        if (attempt != null) {
            deadline.within(shortestWait(), lastProgress);
        }
    }

    private long shortestWait() {
        return Math.min(config.sendTime().toNanos(), config.responseTime().toNanos());
    }

    private void check() {
        Attempt current = attempt;
        Lrwp1State now = state.get();
        if (current == null || now == Lrwp1State.CLOSED) {
            return;
        }
        boolean sending = now == Lrwp1State.SENDING || now == Lrwp1State.FINISHING;
        long limit = (sending ? config.sendTime() : config.responseTime()).toNanos();
        long moment = environment.clock().nanos();
        if (!sending && !current.hasRoom()) {
            // The peer's time does not run while nothing more of its answer is taken.
            lastProgress = moment;
        }
        long left = limit - (moment - lastProgress);
        if (left > 0) {
            deadline.within(Math.min(left, shortestWait()), moment);
        } else if (sending) {
            leave(System.Logger.Level.WARNING, "peer takes no bytes", Failure.PEER_STALLED);
        } else {
            leave(System.Logger.Level.WARNING, "peer does not answer", Failure.PEER_TIMEOUT);
        }
    }

    // ---- The end, on the loop.

    private void leave(System.Logger.Level level, String reason, Failure failure) {
        Lrwp1State before = state.getAndSet(Lrwp1State.CLOSED);
        if (before == Lrwp1State.CLOSED) {
            return;
        }
        deadline.close();
        link.close();
        LOG.log(
                level,
                "peer-left peer={0} context={1} host={2} served={3} reason=\"{4}\"",
                name,
                PeerText.escape(registration.context()),
                PeerText.escape(registration.virtualHost()),
                served.get(),
                reason);
        environment.work().gone(this);
        Attempt current = attempt;
        attempt = null;
        if (current != null && before == Lrwp1State.FINISHING) {
            current.end();
        } else if (current != null) {
            Progress progress =
                    answers.hasBegun() && sender != null
                            ? Progress.PARTLY_ANSWERED
                            : RequestSender.progress(sender, before == Lrwp1State.WAITING);
            current.failed(failure, progress);
        }
        sender = null;
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

    /** LRWP 1 and 2 cannot say which process a connection belongs to. */
    @Override
    public Object instance() {
        return this;
    }

    @Override
    public Link link() {
        return link;
    }

    @Override
    public int capacity() {
        return 1;
    }

    @Override
    public int free() {
        return state.get() == Lrwp1State.IDLE ? 1 : 0;
    }

    @Override
    public PeerStatus status() {
        Lrwp1State now = state.get();
        return new PeerStatus(
                name,
                "",
                "",
                "",
                "",
                registration.version().text(),
                List.of(ServedContext.of(registration)),
                now.name().toLowerCase(Locale.ROOT),
                1,
                now == Lrwp1State.IDLE || now == Lrwp1State.SETTLING ? 0 : 1,
                PeerWeight.USUAL,
                served.get(),
                0,
                List.of());
    }
}
