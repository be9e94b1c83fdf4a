package org.lrwp.download.rate;

/**
 * One timing wheel: each slot is a ring of nodes. A node is never looked at before its time, and at
 * most a tick behind it. Of one thread; nothing is allocated after the start.
 */
final class Wheel {
    /** Nanoseconds from one slot to the next. */
    static final long TICK = 10_000_000L;

    private static final int SLOTS = 2048;

    private final Slot[] slots = new Slot[SLOTS];
    private long tick;
    private int armed;

    Wheel(long now) {
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = new Slot();
        }
        tick = Math.floorDiv(now, TICK);
    }

    /** The fixed end of a ring. */
    static final class Slot extends Node {
        @Override
        long need() {
            return 0;
        }
    }

    /** What is done with a node whose time has come; it stands in no slot any more. */
    interface Expiry {
        void expired(Node node);
    }

    boolean isEmpty() {
        return armed == 0;
    }

    /** Puts a node into the slot of its time; one that is farther off comes early, and again. */
    void arm(Node node, long due) {
        node.due = due;
        long slot = Math.floorDiv(due + TICK - 1, TICK);
        long bounded = Math.max(tick + 1, Math.min(tick + SLOTS - 1, slot));
        node.linkBefore(slots[(int) Math.floorMod(bounded, (long) SLOTS)]);
        armed++;
    }

    void disarm(Node node) {
        node.unlink();
        armed--;
    }

    /**
     * Takes out those of the next slot whose time has come.
     *
     * @return whether there were any, so that more may follow
     */
    boolean advance(long now, Expiry expiry) {
        long until = Math.floorDiv(now, TICK);
        if (armed == 0 || until - tick >= SLOTS) {
            tick = Math.max(tick, armed == 0 ? until : until - SLOTS);
        }
        while (tick < until) {
            tick++;
            Slot slot = slots[(int) Math.floorMod(tick, (long) SLOTS)];
            if (slot.next != slot) {
                empty(slot, expiry);
                return true;
            }
        }
        return false;
    }

    private void empty(Slot slot, Expiry expiry) {
        while (slot.next != slot) {
            Node node = slot.next;
            disarm(node);
            expiry.expired(node);
        }
    }
}
