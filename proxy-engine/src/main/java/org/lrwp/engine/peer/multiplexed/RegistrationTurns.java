package org.lrwp.engine.peer.multiplexed;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.ContextName;

import java.util.ArrayDeque;

/**
 * The REGISTER and UNREGISTER frames of one connection whose turn has not come: docs/protocol.md
 * section 17. They are answered in the order in which they came. A turn is short, and a pause
 * follows: requests wait behind one turn, not behind all registrations. The link's loop only.
 */
final class RegistrationTurns {
    /**
     * Registrations of a turn. Each costs more than other frames do: a line of the log, and perhaps
     * one of the audit.
     */
    static final int AT_ONCE = 16;

    /**
     * The loop's time for everybody else. Without a pause a loop may find the next turn among its
     * tasks before it has looked for bytes of clients and of other peers.
     */
    static final long PAUSE_NANOS = 1_000_000;

    /** A frame, and the moment of its turn. */
    private record Waiting(ContextName name, boolean register, long dueNanos) {}

    /** What answers a frame. */
    interface Desk {
        void answer(ContextName name, boolean register);

        long now();

        /** Calls {@link RegistrationTurns#run} on the loop. */
        void callAfter(long nanos);

        /** Whether the connection's bytes are read. */
        void reading(boolean on);
    }

    private final Desk desk;
    private final int most;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /** Of this turn. */
    private int answered;

    private boolean paused;

    RegistrationTurns(Desk desk, int most) {
        this.desk = desk;
        this.most = most;
    }

    /** The loop has come from other connections. */
    void begin() {
        answered = 0;
    }

    /** Answers a frame, now or when those before it have been answered and its turn has come. */
    void take(ContextName name, boolean register, long delayNanos) throws MalformedFrameException {
        if (waiting.isEmpty() && delayNanos <= 0 && answered < AT_ONCE) {
            answered++;
            desk.answer(name, register);
            return;
        }
        checkRoom(register);
        waiting.add(new Waiting(name, register, desk.now() + delayNanos));
        if (waiting.size() == 1) {
            desk.callAfter(Math.max(PAUSE_NANOS, delayNanos));
        }
    }

    /** Those that only wait for other connections are soon fewer: nothing is read until then. */
    private void checkRoom(boolean register) throws MalformedFrameException {
        if (waiting.size() < most) {
            return;
        }
        if (waiting.element().dueNanos() - desk.now() > 0) {
            throw new MalformedFrameException(
                    (register ? "REGISTER" : "UNREGISTER") + " while " + most + " answers wait");
        }
        paused = true;
        desk.reading(false);
    }

    /** Answers those whose time has come, as many as fit a turn. */
    void run() {
        begin();
        Waiting next = waiting.peek();
        long now = desk.now();
        while (next != null && next.dueNanos() - now <= 0 && answered < AT_ONCE) {
            answered++;
            waiting.remove();
            desk.answer(next.name(), next.register());
            next = waiting.peek();
        }
        long left = next == null ? 0 : next.dueNanos() - now;
        if (next != null) {
            desk.callAfter(Math.max(PAUSE_NANOS, left));
        }
        if (paused && (waiting.size() < most || left > 0)) {
            paused = false;
            desk.reading(true);
        }
    }
}
