package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.peer.ServedContext;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * The real decision, with events in place of NATS and a clock: 100 nodes, load that falls on some
 * of them, heartbeats that are late or lost. What counts is the share of requests that wait while a
 * slot is free anywhere.
 */
class OverflowSimulationTest {
    private static final ServedContext CONTEXT = new ServedContext("/osp", "");
    private static final int NODES = 100;
    private static final int SLOTS = 16;
    private static final double MILLI = 1e6;
    private static final double HEARTBEAT = 250 * MILLI;
    private static final double HOP = 0.3 * MILLI;
    private static final double WORK = 20 * MILLI;
    private static final int REQUESTS = 200_000;

    private final Random random = new Random(28);

    /** Something that happens. */
    private record Event(double time, long number, Runnable what) {}

    /** A request: where it came, and when it began to wait while a slot was free somewhere. */
    private static final class Request {
        private final Node home;
        private boolean waited;

        Request(Node home) {
            this.home = home;
        }
    }

    /** A node with its peers' slots, its queue and its decision. */
    private final class Node {
        private final String name;
        private final OverflowDecision decision =
                new OverflowDecision((long) (3 * HEARTBEAT), random::nextInt);
        private final Deque<Request> queue = new ArrayDeque<>();
        private int free = SLOTS;

        Node(int number) {
            name = "n" + number;
        }

        void comes(Request request) {
            if (queue.isEmpty() && free > 0) {
                work(null);
            } else if (!leaves(request)) {
                waits(request);
            }
        }

        private void waits(Request request) {
            if (totalFree > 0 && !request.waited) {
                request.waited = true;
                waitedWhileFree++;
            }
            queue.addLast(request);
        }

        private boolean leaves(Request request) {
            String to = decision.pick(CONTEXT, (long) now);
            if (to == null) {
                return false;
            }
            sent++;
            Node other = nodes.get(Integer.parseInt(to.substring(1)));
            after(HOP, () -> other.guest(request));
            return true;
        }

        private void guest(Request request) {
            if (queue.isEmpty() && free > 0) {
                work(request.home);
            } else {
                busy++;
                after(HOP, () -> request.home.refused(request, name));
            }
        }

        private void refused(Request request, String by) {
            decision.told(by, CONTEXT, 0);
            queue.addFirst(request);
            next();
            if (queue.remove(request) && !leaves(request)) {
                waits(request);
            }
        }

        private void work(@Nullable Node guestOf) {
            free--;
            totalFree--;
            after(
                    -Math.log(1 - random.nextDouble()) * WORK,
                    () -> {
                        free++;
                        totalFree++;
                        done++;
                        next();
                        if (guestOf != null) {
                            int told = queue.isEmpty() ? free : 0;
                            after(HOP, () -> guestOf.answered(name, told));
                        }
                    });
        }

        private void answered(String by, int told) {
            decision.told(by, CONTEXT, told);
            spill();
        }

        private void next() {
            while (free > 0 && !queue.isEmpty()) {
                queue.removeFirst();
                work(null);
            }
        }

        private void spill() {
            while (!queue.isEmpty() && leaves(queue.peekFirst())) {
                queue.removeFirst();
            }
        }

        void beats() {
            var beat =
                    new Message.Heartbeat(
                            name,
                            1,
                            1,
                            "1",
                            false,
                            List.of(
                                    new Message.Load(
                                            CONTEXT.context(),
                                            "",
                                            SLOTS,
                                            queue.isEmpty() ? free : 0,
                                            queue.size())),
                            List.of());
            for (Node other : nodes) {
                // One in fifty is lost, one in twenty comes late.
                if (other != this && random.nextInt(50) > 0) {
                    double late = random.nextInt(20) == 0 ? random.nextDouble() * HEARTBEAT : 0;
                    after(
                            HOP + late,
                            () -> {
                                other.decision.heard(beat, (long) now);
                                other.spill();
                            });
                }
            }
            if (done < REQUESTS) {
                after(HEARTBEAT, this::beats);
            }
        }
    }

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(
                    Comparator.comparingDouble(Event::time).thenComparingLong(Event::number));
    private final List<Node> nodes = new ArrayList<>();
    private double now;
    private long number;
    private int totalFree = NODES * SLOTS;
    private int done;
    private int sent;
    private int busy;
    private int waitedWhileFree;

    private void after(double time, Runnable what) {
        events.add(new Event(now + time, number++, what));
    }

    /** A fifth of the nodes gets four fifths of the requests. */
    private Node skewed() {
        int fifth = NODES / 5;
        return nodes.get(
                random.nextInt(5) > 0
                        ? random.nextInt(fifth)
                        : fifth + random.nextInt(NODES - fifth));
    }

    private void arrives(int left, double gap) {
        Node node = skewed();
        node.comes(new Request(node));
        if (left > 1) {
            after(-Math.log(1 - random.nextDouble()) * gap, () -> arrives(left - 1, gap));
        }
    }

    private double shareThatWaits(double load) {
        for (int i = 0; i < NODES; i++) {
            nodes.add(new Node(i));
        }
        nodes.forEach(node -> after(random.nextDouble() * HEARTBEAT, node::beats));
        double gap = WORK / (NODES * SLOTS * load);
        after(2 * HEARTBEAT, () -> arrives(REQUESTS, gap));
        for (Event next = events.poll(); next != null; next = events.poll()) {
            now = next.time();
            next.what().run();
        }
        assertEquals(REQUESTS, done);
        assertEquals(NODES * SLOTS, totalFree);
        double share = waitedWhileFree / (double) REQUESTS;
        System.out.printf(
                "overflow at %.0f %% load: %.1f %% left, %.2f nacks for each that left, %.3f %%"
                        + " waited while a slot was free%n",
                100 * load,
                100.0 * (sent - busy) / REQUESTS,
                busy / (double) Math.max(1, sent - busy),
                100 * share);
        return share;
    }

    @Test
    void atHalfLoadAlmostNoRequestWaitsWhileASlotIsFree() {
        assertTrue(shareThatWaits(0.5) < 0.01);
    }

    @Test
    void atHighLoadAlmostNoRequestWaitsWhileASlotIsFree() {
        assertTrue(shareThatWaits(0.85) < 0.01);
    }
}
