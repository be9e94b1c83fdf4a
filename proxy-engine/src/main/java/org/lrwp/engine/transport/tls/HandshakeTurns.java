package org.lrwp.engine.transport.tls;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Handshakes that wait until they may be computed, in front of threads that are few. Addresses take
 * turns, so that a flood from one of them keeps only its own waiting; a handshake that has begun
 * goes before the others of its address. When too many wait, the latest of the address that has
 * most of them is dropped. Thread-safe, never blocks.
 */
public final class HandshakeTurns {
    /** One step of a handshake. */
    public interface Turn {
        /** Has been waited for; on one of the threads. */
        void compute();

        /** There is no place to wait for it. By the thread that brings a turn. */
        void drop();
    }

    private final Executor threads;
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock: no address without a turn; the one whose turn it is comes first.
    private final LinkedHashMap<InetAddress, Deque<Turn>> waiting = new LinkedHashMap<>();
    private int count;

    /**
     * Creates it without a turn.
     *
     * @param threads compute
     * @param most turns that may wait, at least 1
     */
    public HandshakeTurns(Executor threads, int most) {
        if (most < 1) {
            throw new IllegalArgumentException(most + " turns may wait");
        }
        this.threads = threads;
        this.most = most;
    }

    /**
     * Has a turn wait; it, or another one, is dropped when too many do.
     *
     * @param from address of the client; an IPv6 network of 64 bits counts as one
     * @param begun whether the client has been answered before
     * @param turn computed once, or dropped
     */
    public void await(InetAddress from, boolean begun, Turn turn) {
        Turn dropped = enter(Network.sourceOf(from), begun, turn);
        if (dropped != null) {
            // Its place, and its thread's work, are those of the other one.
            dropped.drop();
            return;
        }
        try {
            threads.execute(this::next);
        } catch (RejectedExecutionException ended) {
            Turn last = poll();
            if (last != null) {
                last.drop();
            }
        }
    }

    private @Nullable Turn enter(InetAddress source, boolean begun, Turn turn) {
        lock.lock();
        try {
            Deque<Turn> own = waiting.computeIfAbsent(source, one -> new ArrayDeque<>());
            if (begun) {
                own.addFirst(turn);
            } else {
                own.addLast(turn);
            }
            count++;
            return count > most ? takeSurplus() : null;
        } finally {
            lock.unlock();
        }
    }

    /** Of addresses that have equally many, the one whose turn is farthest away. */
    private Turn takeSurplus() {
        Map.Entry<InetAddress, Deque<Turn>> largest =
                Collections.max(
                        waiting.reversed().entrySet(),
                        Comparator.comparingInt(one -> one.getValue().size()));
        Deque<Turn> own = largest.getValue();
        Turn surplus = own.removeLast();
        count--;
        if (own.isEmpty()) {
            waiting.remove(largest.getKey());
        }
        return surplus;
    }

    private @Nullable Turn poll() {
        lock.lock();
        try {
            Map.Entry<InetAddress, Deque<Turn>> first = waiting.pollFirstEntry();
            if (first == null) {
                return null;
            }
            Deque<Turn> own = first.getValue();
            Turn turn = own.removeFirst();
            count--;
            if (!own.isEmpty()) {
                waiting.putLast(first.getKey(), own);
            }
            return turn;
        } finally {
            lock.unlock();
        }
    }

    private void next() {
        Turn turn = poll();
        if (turn != null) {
            turn.compute();
        }
    }
}
