package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.BodySource;
import org.lrwp.protocol.UpgradeNames;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client's connection that speaks another protocol with a peer: docs/protocol.md section 15.12.
 *
 * <p>Purpose: bytes go both ways, each as fast as the other end takes them. Design: what the front
 * {@link #receive receives} waits here until the slot takes it, {@link #ROOM} bytes at most before
 * the front is asked to stop reading; what the peer sends goes straight to the {@link
 * TunnelClient}, which says what it has {@link #delivered}, and the slot grants the peer window for
 * that. Nothing goes to the disk. A front ends an exchange with {@link Exchange#delivered} when
 * both directions have ended and its last byte is out, or with {@link Exchange#clientGone}.
 *
 * <pre>
 *   CLOSED --101--> OPEN --client's end--> HALF_CLOSED
 *      |             |                        |
 *      +-------------+------------------------+--cut--> CUT
 * </pre>
 *
 * <p>Thread-safe; never blocks. Nobody is called under the lock.
 */
public final class Tunnel implements BodySource {
    /** Bytes of the client that wait for the peer before the front should stop reading. */
    public static final int ROOM = 32 * 1024;

    private enum State {
        /** The peer has not answered yet, or not with 101. */
        CLOSED,
        /** Both ends may send. */
        OPEN,
        /** The client sends nothing more. */
        HALF_CLOSED,
        /** Nothing goes through any more. */
        CUT
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<ByteBuffer> toPeer = new ArrayDeque<>(1);
    private final AtomicReference<@Nullable Runnable> onTaken = new AtomicReference<>();
    private volatile Runnable onReady = Tunnel::nobody;
    private volatile @Nullable TunnelClient client;
    private volatile State state = State.CLOSED;
    private volatile long received;
    private volatile long polled;
    private volatile long sent;
    private volatile long delivered;
    private boolean held;

    private final UpgradeNames offer;

    Tunnel(UpgradeNames offer) {
        this.offer = offer;
    }

    // ---- The front.

    /**
     * Takes bytes of the client.
     *
     * @param bytes the next ones; copied, and dropped when the tunnel is cut
     * @return whether the front should go on reading; after false {@link TunnelClient#room} comes
     */
    public boolean receive(ByteBuffer bytes) {
        lock.lock();
        try {
            int count = bytes.remaining();
            if (state != State.OPEN || count == 0) {
                bytes.position(bytes.limit());
                return state == State.OPEN && !held;
            }
            toPeer.add(ByteBuffer.allocate(count).put(bytes).flip());
            long sum = received + count;
            received = sum;
            held = unread() >= ROOM;
            if (!held) {
                return true;
            }
        } finally {
            lock.unlock();
            onReady.run();
        }
        return false;
    }

    /** The client sends nothing more; what the peer sends still reaches it. */
    public void end() {
        step(State.HALF_CLOSED);
        onReady.run();
    }

    /**
     * The client has taken bytes of the peer.
     *
     * @param count how many, since the last call
     */
    public void delivered(long count) {
        lock.lock();
        try {
            long sum = delivered + count;
            delivered = sum;
        } finally {
            lock.unlock();
        }
        Runnable listener = onTaken.getAndSet(null);
        if (listener != null) {
            listener.run();
        }
    }

    // ---- The slot: to the peer.

    /**
     * Returns what the client offers.
     *
     * @return at least one protocol
     */
    public UpgradeNames offer() {
        return offer;
    }

    @Override
    public @Nullable ByteBuffer poll() {
        ByteBuffer next;
        boolean again;
        lock.lock();
        try {
            next = toPeer.poll();
            long sum = polled + (next == null ? 0 : next.remaining());
            polled = sum;
            again = held && unread() < ROOM;
            held = held && !again;
        } finally {
            lock.unlock();
        }
        TunnelClient known = client;
        if (again && known != null) {
            known.room();
        }
        return next;
    }

    @Override
    public BodyEnding ending() {
        return switch (state) {
            case CLOSED, OPEN -> BodyEnding.OPEN;
            case HALF_CLOSED -> unread() == 0 ? BodyEnding.COMPLETE : BodyEnding.OPEN;
            case CUT -> BodyEnding.BROKEN;
        };
    }

    @Override
    public boolean isWhole() {
        return state == State.HALF_CLOSED;
    }

    @Override
    public long unread() {
        return received - polled;
    }

    @Override
    public void onReady(Runnable listener) {
        onReady = listener;
    }

    // ---- The slot: to the client. From one thread at a time.

    /**
     * Passes bytes of the peer on.
     *
     * @param bytes the next ones; copied, and dropped when the tunnel is cut
     */
    public void send(ByteBuffer bytes) {
        int count = bytes.remaining();
        TunnelClient known = client;
        if (known == null || state == State.CUT || count == 0) {
            bytes.position(bytes.limit());
            return;
        }
        lock.lock();
        try {
            long sum = sent + count;
            sent = sum;
        } finally {
            lock.unlock();
        }
        known.bytes(ByteBuffer.allocate(count).put(bytes).flip());
    }

    /** The peer sends nothing more. */
    public void sendEnd() {
        TunnelClient known = client;
        if (known != null && state != State.CUT) {
            known.end();
        }
    }

    /**
     * Says how much the client has not taken.
     *
     * @return in bytes
     */
    public long undelivered() {
        return sent - delivered;
    }

    /**
     * Sets who is told, once, that the client has taken something.
     *
     * @param listener called by any thread, perhaps at once; must not block
     */
    public void onTaken(Runnable listener) {
        onTaken.set(listener);
        if (undelivered() == 0 && onTaken.compareAndSet(listener, null)) {
            listener.run();
        }
    }

    // ---- The exchange.

    /** The peer has accepted: bytes may flow as soon as the client is known. */
    void open() {
        step(State.OPEN);
    }

    void to(TunnelClient opened) {
        client = opened;
        if (state == State.CUT) {
            // Between the answer and this.
            opened.cut();
        }
    }

    /** Cuts the client's connection. */
    void cut() {
        if (!step(State.CUT)) {
            return;
        }
        // Only now: whoever says at the same time who the client is looks at the state afterwards,
        // so that one of the two sees the other. Perhaps both do, which does no harm.
        TunnelClient known = client;
        if (known != null) {
            known.cut();
        }
    }

    /** Lets go of everything; the client has its end, or is gone. */
    void close() {
        step(State.CUT);
    }

    /** How much has come from the client. */
    long received() {
        return received;
    }

    /** How much the client has taken. */
    long taken() {
        return delivered;
    }

    /** Goes to a state; false when it was there, or cannot go there any more. */
    private boolean step(State next) {
        lock.lock();
        try {
            if (next.compareTo(state) <= 0) {
                return false;
            }
            state = next;
            if (next == State.CUT) {
                toPeer.clear();
                polled = received;
                onReady = Tunnel::nobody;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static void nobody() {}
}
