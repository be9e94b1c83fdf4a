package org.lrwp.webapp.edge;

import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.exchange.TunnelClient;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A client's connection that has gone over to another protocol: bytes go to the peer and come from
 * it as they are, each as fast as the other end takes them.
 *
 * <pre>
 *   OPEN --client's end--> PEER_SENDS --peer's end---+
 *     | \--peer's end----> CLIENT_SENDS -client's end-+-> OVER
 *     +----broken, cut, or left-----------------------+
 * </pre>
 *
 * <p>{@link #read} is on the loop, all else by any thread; nothing blocks.
 */
final class EdgeTunnel implements TunnelClient {
    /** The connection of the client. */
    interface Owner {
        /** What the client sends has to wait until somebody awaits it. On the loop. */
        void awaitNothing();

        /** The client may send more. Any thread. */
        void awaitBytes();

        /** Sends the client nothing more, once it has all that was written. */
        void endOutput();

        /** Closes it when the client has all that was written. */
        void close();
    }

    private enum State {
        OPEN,
        PEER_SENDS,
        CLIENT_SENDS,
        OVER
    }

    private final Owner owner;
    private final EdgeWriter out;
    private final Tunnel tunnel;
    private final Consumer<Boolean> whenOver;
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.OPEN;

    /**
     * Creates a tunnel.
     *
     * @param owner of the client, which has its 101
     * @param out to the client
     * @param tunnel to the peer
     * @param whenOver told once whether both ends have ended and all has been sent
     */
    EdgeTunnel(Owner owner, EdgeWriter out, Tunnel tunnel, Consumer<Boolean> whenOver) {
        this.owner = owner;
        this.out = out;
        this.tunnel = tunnel;
        this.whenOver = whenOver;
    }

    // ---- From the client. On the loop.

    /** Bytes of the client have come, early ones first. */
    void read(EdgeInput in) {
        ByteBuffer early = in.takeKept();
        if (early != null && !pass(early)) {
            return;
        }
        try {
            ByteBuffer bytes = in.read();
            if (bytes == null) {
                owner.awaitNothing();
                tunnel.end();
                ended(State.CLIENT_SENDS, State.PEER_SENDS);
            } else {
                pass(bytes);
            }
        } catch (IOException gone) {
            finish(false);
        }
    }

    /** Passes bytes on; false when the client has to wait for room. */
    private boolean pass(ByteBuffer bytes) {
        owner.awaitNothing();
        if (tunnel.receive(bytes)) {
            owner.awaitBytes();
            return true;
        }
        return false;
    }

    @Override
    public void room() {
        owner.awaitBytes();
    }

    // ---- To the client.

    @Override
    public void bytes(ByteBuffer bytes) {
        int count = bytes.remaining();
        try {
            out.write(bytes);
            out.whenTaken(() -> tunnel.delivered(count));
        } catch (IOException gone) {
            finish(false);
        }
    }

    @Override
    public void end() {
        out.whenTaken(
                () -> {
                    owner.endOutput();
                    ended(State.PEER_SENDS, State.CLIENT_SENDS);
                });
    }

    @Override
    public void cut() {
        finish(false);
    }

    // ---- The end.

    /** One direction has ended: the last one, or the other one goes on. */
    private void ended(State last, State otherwise) {
        boolean both;
        lock.lock();
        try {
            both = state == last;
            if (state == State.OPEN) {
                state = otherwise;
            }
        } finally {
            lock.unlock();
        }
        if (both) {
            finish(true);
        }
    }

    private void finish(boolean whole) {
        lock.lock();
        try {
            if (state == State.OVER) {
                return;
            }
            state = State.OVER;
        } finally {
            lock.unlock();
        }
        if (whole) {
            owner.close();
        } else {
            out.cut(true);
        }
        whenOver.accept(whole);
    }
}
