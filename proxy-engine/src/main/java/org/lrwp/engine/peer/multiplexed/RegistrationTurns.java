package org.lrwp.engine.peer.multiplexed;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.ContextName;

import java.util.ArrayDeque;

/**
 * The REGISTER and UNREGISTER frames of one connection whose turn has not come: docs/protocol.md
 * section 17. They are answered in the order in which they came, and only so many before the loop
 * looks after other connections. The link's loop only.
 */
final class RegistrationTurns {
    /** Each costs more than other frames do: a line of the log, and perhaps one of the audit. */
    static final int AT_ONCE = 100;

    /** A frame, and the moment of its turn. */
    private record Waiting(ContextName name, boolean register, long dueNanos) {}

    /** What answers a frame. */
    interface Desk {
        void answer(ContextName name, boolean register);

        long now();

        /** Calls {@link RegistrationTurns#run} on the loop. */
        void callAfter(long nanos);
    }

    private final Desk desk;
    private final int most;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /** Since the loop came to this connection. */
    private int answered;

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
        makeRoom(register);
        waiting.add(new Waiting(name, register, desk.now() + delayNanos));
        if (waiting.size() == 1) {
            desk.callAfter(delayNanos);
        }
    }

    /** Whoever only has to wait for other connections is answered rather than refused. */
    private void makeRoom(boolean register) throws MalformedFrameException {
        if (waiting.size() < most) {
            return;
        }
        Waiting next = waiting.remove();
        if (next.dueNanos() - desk.now() > 0) {
            throw new MalformedFrameException(
                    (register ? "REGISTER" : "UNREGISTER") + " while " + most + " answers wait");
        }
        desk.answer(next.name(), next.register());
    }

    /** Answers those whose turn has come, as many as fit. */
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
        if (next != null) {
            desk.callAfter(Math.max(0, next.dueNanos() - now));
        }
    }
}
