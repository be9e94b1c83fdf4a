package org.lrwp.engine.peer;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Attempt;
import org.lrwp.sdk.ExchangeHandler;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A module in this process, among the connections of its contexts. Its states are drawn at {@link
 * LocalState}.
 *
 * <p>Purpose: a request that a module answers is queued, timed, cancelled, drained and shown like
 * any other. Design: a slot is claimed by a compare-and-set; each of its requests is a {@link
 * LocalCall}, and they share nothing but the timer.
 */
public final class LocalConnection implements PeerConnection {
    private static final Executor VIRTUAL =
            task -> Thread.ofVirtual().name("lrwp-exchange").start(task);

    private final LocalPeer peer;
    private final PeerEnvironment environment;
    private final String name;
    private final PeerLog log;
    private final SlotCount slots = new SlotCount();
    private final AtomicReference<LocalState> state = new AtomicReference<>(LocalState.OPEN);
    private final Set<LocalCall> calls = ConcurrentHashMap.newKeySet();
    private final Map<LocalCall, Attempt> cancelled = new ConcurrentHashMap<>();
    private final AtomicLong served = new AtomicLong();
    private final LocalTimer timer;
    private final LocalHeads heads = new LocalHeads();

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
        this.timer = new LocalTimer(environment, calls);
        slots.capacity(peer.capacity());
    }

    /** Takes requests from now on; once, when its contexts know it. */
    public void open() {
        slots.open(true);
        log.connected(peer);
        environment.work().slotFree(this);
    }

    // ---- The slots.

    @Override
    public @Nullable PeerHandler claim() {
        return slots.claim() ? new LocalCall(this) : null;
    }

    /** A request begins; false when it must not. */
    boolean takes(LocalCall call) {
        calls.add(call);
        // Whoever closes looks at the calls afterwards, so one of the two sees the other.
        return state.get() == LocalState.OPEN;
    }

    /** A request has ended; its slot is free. */
    void free(LocalCall call) {
        calls.remove(call);
        cancelled.remove(call);
        slots.release();
    }

    /** A slot may be free. */
    void slotFree() {
        if (state.get() == LocalState.OPEN) {
            environment.work().slotFree(this);
        } else {
            endIfDone();
        }
    }

    @Override
    public void drain() {
        if (!state.compareAndSet(LocalState.OPEN, LocalState.DRAINING)) {
            return;
        }
        slots.open(false);
        log.draining("proxy-drains", slots.busy());
        environment.work().leaving(this);
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
        slots.open(false);
        environment.work().leaving(this);
        calls.forEach(LocalCall::lost);
        end(reason);
    }

    private void end(String reason) {
        timer.close();
        log.left(System.Logger.Level.INFO, contextNames(), served.get(), reason);
        environment.work().gone(this);
    }

    private String contextNames() {
        return String.join(
                ",", peer.contexts().stream().map(one -> PeerText.escape(one.context())).toList());
    }

    // ---- For its requests.

    SlotCount slots() {
        return slots;
    }

    ExchangeHandler handler() {
        return peer.handler();
    }

    Executor executor() {
        return peer.prompt() ? Runnable::run : VIRTUAL;
    }

    long now() {
        return environment.clock().nanos();
    }

    PeerConfig limits(String context) {
        return environment.limits().of(context);
    }

    /** A request is late after so many nanoseconds. */
    void watch(long left) {
        timer.watch(left);
    }

    void answered() {
        served.incrementAndGet();
    }

    /** Nobody waits for a request any more: it is stuck until its module lets go of it. */
    void cancelled(LocalCall call, Attempt attempt) {
        cancelled.put(call, attempt);
    }

    LocalHeads heads() {
        return heads;
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
        return new PeerStatus(
                name,
                "local",
                peer.contexts(),
                state.get().name().toLowerCase(Locale.ROOT),
                slots.capacity(),
                slots.busy(),
                served.get(),
                cancelled.values().stream().map(Attempt::exchangeStatus).toList());
    }
}
