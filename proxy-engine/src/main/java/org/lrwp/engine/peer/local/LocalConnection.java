package org.lrwp.engine.peer.local;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.identity.Principal;
import org.lrwp.engine.peer.LocalPeer;
import org.lrwp.engine.peer.PeerCall;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.PeerLog;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.PeerSlots;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.PeerText;
import org.lrwp.engine.peer.PeerWeight;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.TimedCalls;
import org.lrwp.sdk.ExchangeHandler;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A module in this process, among the connections of its contexts. Its states are drawn at {@link
 * LocalState}.
 *
 * <p>Purpose: a request that a module answers is queued, timed, cancelled, drained and shown like
 * any other. Design: a slot is claimed by a compare-and-set; each of its requests is a {@link
 * PeerCall}, and they share nothing but the deadline.
 */
public final class LocalConnection implements PeerConnection {
    private static final System.Logger LOG = System.getLogger(LocalConnection.class.getName());
    private static final Executor VIRTUAL =
            task -> Thread.ofVirtual().name("lrwp-exchange").start(task);

    private final LocalPeer peer;
    private final PeerWeight weight = new PeerWeight();
    private final PeerEnvironment environment;
    private final String name;
    private final PeerLog log;
    private final PeerSlots slots;
    private final AtomicReference<LocalState> state = new AtomicReference<>(LocalState.OPEN);
    private final TimedCalls calls;
    private final LocalHeads heads = new LocalHeads();
    private final CountDownLatch ended = new CountDownLatch(1);

    /**
     * Makes a connection that takes no requests before it is opened.
     *
     * @param peer the module
     * @param environment what it shares with all other connections
     */
    public LocalConnection(LocalPeer peer, PeerEnvironment environment) {
        this.peer = peer;
        this.environment = environment;
        this.name = "local:" + peer.name();
        this.log = new PeerLog(name);
        this.calls = new TimedCalls(environment, log);
        this.slots = new PeerSlots(this, environment, log, this::endIfDone);
        slots.capacity(peer.capacity());
    }

    /** Takes requests from now on; once, when its contexts know it. */
    public void open() {
        slots.open();
        for (ServedContext served : peer.contexts()) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "peer-registered peer={0} version=local context={1} host={2} capacity={3}",
                    name,
                    PeerText.escape(served.context()),
                    PeerText.escape(served.virtualHost()),
                    Integer.toString(peer.capacity()));
        }
        slots.slotFree();
    }

    // ---- The slots.

    @Override
    public @Nullable PeerSlot claim() {
        return slots.claim() ? new LocalCall(this).call() : null;
    }

    /** A request begins; false when it must not. */
    boolean takes(LocalCall call) {
        calls.add(call);
        // Whoever closes looks at the calls afterwards, so one of the two sees the other.
        return state.get() == LocalState.OPEN;
    }

    /** A request has ended. */
    void free(LocalCall call) {
        calls.remove(call);
    }

    @Override
    public void drain() {
        if (!state.compareAndSet(LocalState.OPEN, LocalState.DRAINING)) {
            return;
        }
        slots.drain("proxy-drains", slots.busy());
        peer.onDrain().run();
        endIfDone();
    }

    private void endIfDone() {
        if (slots.busy() == 0 && state.compareAndSet(LocalState.DRAINING, LocalState.CLOSED)) {
            end("drained");
        }
    }

    @Override
    public void close(String reason) {
        if (state.getAndSet(LocalState.CLOSED) == LocalState.CLOSED) {
            return;
        }
        slots.close();
        calls.lose();
        end(reason);
    }

    private void end(String reason) {
        calls.close();
        log.left(System.Logger.Level.INFO, contextNames(), slots.served(), reason);
        environment.work().gone(this);
        ended.countDown();
    }

    /**
     * Takes no more requests, waits for those it has, and ends. Blocks; call it once.
     *
     * @param most how long it waits; then what is left is cut
     * @throws InterruptedException when the waiting thread is; what is left is cut then too
     */
    public void leave(Duration most) throws InterruptedException {
        try {
            drain();
            boolean done = ended.await(most.toNanos(), TimeUnit.NANOSECONDS);
            LOG.log(System.Logger.Level.DEBUG, "local-left peer={0} in-time={1}", name, done);
        } finally {
            close("drain-time-over");
        }
    }

    private String contextNames() {
        return String.join(
                ",", peer.contexts().stream().map(one -> PeerText.escape(one.context())).toList());
    }

    // ---- For its requests.

    PeerSlots slots() {
        return slots;
    }

    ExchangeHandler handler() {
        return peer.handler();
    }

    Executor executor() {
        return peer.prompt() ? Runnable::run : VIRTUAL;
    }

    /** Its time is looked at when it may be over, however it changes meanwhile. */
    void watch(PeerCall call) {
        calls.watch(call);
    }

    LocalHeads heads() {
        return heads;
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

    /** Modules are the proxy's own. */
    @Override
    public String identity() {
        return Principal.MODULES;
    }

    @Override
    public boolean isOnLoop() {
        return peer.prompt();
    }

    @Override
    public boolean isStreaming() {
        return true;
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
        return slots.status("local", peer.contexts(), state.get());
    }
}
