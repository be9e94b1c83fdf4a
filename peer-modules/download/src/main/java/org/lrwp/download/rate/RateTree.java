package org.lrwp.download.rate;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The tree of buckets: all, class, client, download. It lets a flow send when every bucket on its
 * way up has enough, and when one has not, gives what there is in turns: among classes by weight,
 * within a class to each client the same, within a client to each download the same.
 *
 * <p>A flow is touched only when it can send: its own bucket says when that is, and the wheel
 * brings it then. Where a shared bucket is short its members wait in a ring, and only the group
 * stands in the wheel.
 *
 * <p>Promises: over any span no bucket lets out more than its rate times the span and what it held,
 * which is at most two bursts; what is granted and not sent goes back; whoever wants gets a turn.
 *
 * <p>Of one thread, see {@link RateLoop}; time is what {@link #advance} was told last.
 */
public final class RateTree {
    /** What a new flow may send at once. */
    private static final Duration START = Duration.ofMillis(50);

    private final Wheel wheel;
    private final Group root = new Group("all");
    private long now;

    /**
     * Creates a tree without members.
     *
     * @param limit of all together
     * @param now nanoseconds of the clock
     */
    public RateTree(Limit limit, long now) {
        this.wheel = new Wheel(now);
        this.now = now;
        limit(root, limit);
    }

    /**
     * Returns the group of all.
     *
     * @return the root
     */
    public Group root() {
        return root;
    }

    /**
     * Finds or makes a group. One without members is forgotten when a new one would be the same.
     *
     * @param parent where it belongs
     * @param name its name there
     * @param quota its limit from now on, and what fills its bucket
     * @param weight its share of the parent where that is short, 1 or more
     * @return the group
     */
    public Group group(Group parent, String name, Quota quota, int weight) {
        Group group = parent.groups().get(name);
        if (group == null) {
            group = new Group(name);
            group.parent = parent;
            parent.groups().put(name, group);
            enter(parent);
        }
        group.weight = weight;
        limit(group, quota);
        return group;
    }

    /**
     * Adds a flow, or moves it to another group with what its bucket holds.
     *
     * @param flow new or known
     * @param parent where it belongs from now on
     * @param limit its own limit
     */
    public void join(Flow flow, Group parent, Limit limit) {
        if (flow.isClosed()) {
            return;
        }
        if (flow.parent != parent) {
            rest(flow);
            part(flow);
            flow.parent = parent;
            flow.had = 0;
            flow.isNew = true;
            enter(parent);
        }
        limit(flow, limit);
        if (flow.state == Node.State.IDLE && flow.isActive() && !flow.isInService()) {
            offer(flow, true);
        }
    }

    private void enter(Group parent) {
        if (parent.isEmpty() && parent.state == Node.State.TIMED) {
            // It only waited to be forgotten.
            rest(parent);
        }
        parent.joined();
    }

    /**
     * Removes a flow for ever.
     *
     * @param flow any; more calls are harmless
     */
    public void leave(Flow flow) {
        flow.close();
        if (!flow.isInService()) {
            rest(flow);
            part(flow);
        }
    }

    /**
     * Says what a flow could send now; grants come no sooner than this.
     *
     * @param flow a flow of this tree
     * @param bytes the most that it can use, 0 for nothing
     */
    public void want(Flow flow, long bytes) {
        if (flow.isClosed() || flow.parent == null) {
            return;
        }
        flow.want(bytes);
        if (bytes > 0 && !flow.isInService() && flow.state == Node.State.IDLE) {
            offer(flow, true);
        }
    }

    /**
     * Takes back what was granted and not sent.
     *
     * @param flow whose grant it was
     * @param bytes what was not sent
     */
    public void giveBack(Flow flow, long bytes) {
        putBack(flow, bytes);
        for (Group at = flow.charged(); at != null; at = at.parent) {
            putBack(at, bytes);
        }
    }

    private static void putBack(Node node, long bytes) {
        if (!node.isNew) {
            node.had -= bytes * Node.SHARE / node.weight;
        }
        Bucket own = node.bucket;
        if (own != null) {
            own.giveBack(bytes);
        }
    }

    /**
     * Changes a group's limit; members feel it at once.
     *
     * @param group any group of this tree
     * @param quota from now on
     */
    public void limit(Group group, Quota quota) {
        limit(group, quota.limit());
        Bucket own = group.bucket;
        if (own != null && own.supplyBy(quota.supply(), now)) {
            lookAgain(group);
        }
    }

    /**
     * Puts what a supply brings into the bucket of a group; members feel it at once. A group that
     * is forgotten, or has another supply by now, has no use for it.
     *
     * @param group for which it was drawn
     * @param from the supply, which gets back what is not used
     * @param bytes 1 or more
     */
    public void deposit(Group group, Supply from, long bytes) {
        Bucket own = group.bucket;
        boolean isHere = group.parent != null || group.equals(root);
        if (own == null || !isHere || !own.deposit(from, bytes)) {
            from.giveBack(bytes);
        } else {
            lookAgain(group);
        }
    }

    /**
     * Says that a supply brings nothing of what it was asked for. It is asked again after a moment.
     *
     * @param group for which it was asked
     * @param from the supply
     */
    public void failed(Group group, Supply from) {
        Bucket own = group.bucket;
        if (own != null) {
            own.failed(from);
        }
    }

    private void limit(Node node, Limit limit) {
        Bucket own = node.bucket;
        if (own != null && own.limit().equals(limit)) {
            return;
        }
        if (!limit.isLimited()) {
            node.bucket = null;
        } else if (own == null) {
            long start = node instanceof Flow ? limit.bytesIn(START) : limit.burstBytes();
            node.bucket = new Bucket(limit, start, now);
        } else {
            own.change(limit, now);
        }
        lookAgain(node);
    }

    /** Finds another place for a node that waits, or does not have enough any more. */
    private void lookAgain(Node node) {
        boolean waits = node.state == Node.State.TIMED || node.isShort();
        if (node.state != Node.State.IDLE && waits) {
            rest(node);
            if (node.isActive()) {
                offer(node, false);
            } else if (node instanceof Group group && group.isEmpty()) {
                forget(group);
            }
        }
    }

    /**
     * Lets time pass: everybody who may send now does.
     *
     * @param nanos nanoseconds of the clock, not before the last
     * @param between run after those of each tick, for what should not wait until all have had
     *     their turn; may change the tree
     */
    public void advance(long nanos, Runnable between) {
        now = Math.max(now, nanos);
        while (wheel.advance(now, this::expired)) {
            between.run();
        }
        while (root.state == Node.State.READY) {
            serveOne();
        }
    }

    /**
     * Says whether time alone changes something.
     *
     * @return whether somebody waits for a time
     */
    public boolean isWaiting() {
        return !wheel.isEmpty();
    }

    private void expired(Node node) {
        node.state = Node.State.IDLE;
        if (node.isActive()) {
            offer(node, true);
        } else if (node instanceof Group group && group.isEmpty()) {
            forget(group);
        }
    }

    /**
     * Finds the place of a node that has something to send.
     *
     * @param direct whether a flow may be served without going through the rings; not from within a
     *     service, which would go ever deeper
     */
    private void offer(Node node, boolean direct) {
        node.refill(now);
        Bucket own = node.bucket;
        long need = node.need();
        if (own != null && own.available() < need) {
            node.state = Node.State.TIMED;
            wheel.arm(node, own.timeOf(need));
            if (node instanceof Group group) {
                own.draw(group);
            }
        } else if (!(direct && node instanceof Flow flow && isServedAtOnce(flow))) {
            makeReady(node);
        }
    }

    private void makeReady(Node node) {
        node.state = Node.State.READY;
        Group parent = node.parent;
        if (parent != null) {
            parent.add(node);
            if (parent.state == Node.State.IDLE) {
                offer(parent, false);
            }
        }
    }

    /** The usual case, nobody is short: no ring is touched. */
    private boolean isServedAtOnce(Flow flow) {
        long bytes = Math.min(flow.wanted(), flow.available());
        for (Group at = flow.parent; at != null; at = at.parent) {
            at.refill(now);
            if (at.state != Node.State.IDLE || at.available() < bytes) {
                return false;
            }
        }
        grant(flow, bytes);
        return true;
    }

    private void serveOne() {
        Node at = root;
        root.refill(now);
        long bytes = root.available();
        Round round = Round.ALL;
        while (at instanceof Group group) {
            round = round.within(group.bucket);
            at = group.turn(round);
            at.refill(now);
            bytes = Math.min(bytes, Math.min(at.available(), group.mostOf(at)));
            round = group.among(round);
        }
        Flow flow = (Flow) at;
        grant(flow, Math.min(bytes, flow.wanted()));
    }

    private void grant(Flow flow, long bytes) {
        for (Node at = flow; at != null; at = at.parent) {
            if (at.parent != null) {
                at.parent.charge(at, bytes);
            }
            Bucket own = at.bucket;
            if (own != null) {
                own.take(bytes);
                if (at instanceof Group group) {
                    own.draw(group);
                }
            }
        }
        flow.want(0);
        flow.charge(flow.parent);
        flow.inService(true);
        try {
            if (bytes > 0) {
                flow.sink().granted(flow, bytes);
            }
        } finally {
            flow.inService(false);
            settle(flow);
        }
    }

    /** After a grant: who has nothing more to send, or nothing more to send with, makes way. */
    private void settle(Flow flow) {
        Group parent = flow.parent;
        if (flow.isClosed()) {
            rest(flow);
            part(flow);
        } else if (flow.state == Node.State.IDLE && flow.isActive()) {
            offer(flow, false);
        } else {
            makeWay(flow);
        }
        for (Group at = parent; at != null; at = at.parent) {
            makeWay(at);
        }
    }

    private void makeWay(Node node) {
        if (node.state == Node.State.READY && (!node.isActive() || node.isShort())) {
            rest(node);
            if (node.isActive()) {
                offer(node, false);
            }
        }
    }

    /** Takes a node from where it stands, and all above it that have nothing to send without it. */
    private void rest(Node node) {
        Node.State before = node.state;
        node.state = Node.State.IDLE;
        if (before == Node.State.TIMED) {
            wheel.disarm(node);
        }
        Group parent = node.parent;
        if (before == Node.State.READY && parent != null) {
            parent.remove(node);
            if (!parent.isActive() && parent.state != Node.State.IDLE) {
                rest(parent);
            }
        }
    }

    private void part(Node node) {
        Group parent = node.parent;
        node.parent = null;
        if (parent != null) {
            parent.left();
            if (parent.isEmpty()) {
                forget(parent);
            }
        }
    }

    private void forget(Group group) {
        @Nullable Group parent = group.parent;
        if (parent == null || group.state != Node.State.IDLE) {
            return;
        }
        Bucket own = group.bucket;
        group.refill(now);
        if (own != null) {
            own.handBack();
        }
        if (own == null || own.isAsNew()) {
            parent.groups().remove(group.name(), group);
            part(group);
        } else {
            group.state = Node.State.TIMED;
            wheel.arm(group, own.timeOf(own.capacityBytes()));
        }
    }
}
