package org.lrwp.engine.peer.multiplexed;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.ContextName;

import java.util.ArrayDeque;

/**
 * The REGISTER and UNREGISTER frames of one connection whose turn has not come: docs/protocol.md
 * section 17. They are answered in the order in which they came. The link's loop only.
 */
final class RegistrationTurns {
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

    RegistrationTurns(Desk desk, int most) {
        this.desk = desk;
        this.most = most;
    }

    /** Answers a frame, now or when those before it have been answered and its turn has come. */
    void take(ContextName name, boolean register, long delayNanos) throws MalformedFrameException {
        if (waiting.isEmpty() && delayNanos <= 0) {
            desk.answer(name, register);
            return;
        }
        if (waiting.size() >= most) {
            throw new MalformedFrameException(
                    (register ? "REGISTER" : "UNREGISTER") + " while " + most + " answers wait");
        }
        waiting.add(new Waiting(name, register, desk.now() + delayNanos));
        if (waiting.size() == 1) {
            desk.callAfter(delayNanos);
        }
    }

    /** Answers those whose turn has come. */
    void run() {
        Waiting next = waiting.peek();
        long now = desk.now();
        while (next != null && next.dueNanos() - now <= 0) {
            waiting.remove();
            desk.answer(next.name(), next.register());
            next = waiting.peek();
        }
        if (next != null) {
            desk.callAfter(next.dueNanos() - now);
        }
    }
}
