package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerEnvironment;
import org.lrwp.engine.peer.PeerLog;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.PeerSlots;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.peer.PeerWeight;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.TimedCalls;

import java.util.List;

/**
 * Another node as one that has requests of this one. It is no connection of a context: its slots
 * are claimed by {@link Away} alone, when there is none here. Thread-safe; never blocks.
 */
final class NodeConnection implements PeerConnection {
    private enum State {
        OPEN,
        CLOSED
    }

    private final String node;
    private final PeerWeight weight = new PeerWeight();
    private final PeerLog log;
    private final PeerSlots slots;
    private final TimedCalls calls;
    private volatile State state = State.OPEN;

    NodeConnection(String node, PeerEnvironment environment, int capacity) {
        this.node = node;
        this.log = new PeerLog(peerName());
        this.calls = new TimedCalls(environment, log);
        this.slots = new PeerSlots(this, environment, log, () -> {});
        slots.capacity(capacity);
        slots.open();
    }

    String node() {
        return node;
    }

    PeerSlots slots() {
        return slots;
    }

    PeerLog log() {
        return log;
    }

    /** Requests that the node has. */
    int busy() {
        return slots.busy();
    }

    // ---- For its requests.

    void begins(NodeCall call) {
        calls.add(call);
        calls.watch(call.call());
    }

    void ended(NodeCall call) {
        calls.remove(call);
    }

    /** Its time is looked at when it may be over, however it changes meanwhile. */
    void watch(NodeCall call) {
        calls.watch(call.call());
    }

    /** All that it has is lost, or was never heard. */
    void lose() {
        calls.lose();
    }

    // ---- A connection.

    /** A slot is one of a context, so this one has none to give. */
    @Override
    public @Nullable PeerSlot claim() {
        return null;
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
    public boolean isStreaming() {
        return false;
    }

    @Override
    public String peerName() {
        return Cluster.NODE + node;
    }

    @Override
    public PeerWeight weight() {
        return weight;
    }

    /** A node is none of the peers: what it is let do stands in the cluster's own login. */
    @Override
    public String identity() {
        return "";
    }

    @Override
    public boolean isOnLoop() {
        return false;
    }

    @Override
    public PeerStatus status() {
        return slots.status("node", List.<ServedContext>of(), state);
    }

    @Override
    public void drain() {
        // The node says itself when it takes nothing more.
    }

    @Override
    public void close(String reason) {
        state = State.CLOSED;
        slots.close();
        lose();
        calls.close();
    }
}
