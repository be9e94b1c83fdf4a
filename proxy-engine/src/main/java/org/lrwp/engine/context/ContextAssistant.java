package org.lrwp.engine.context;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeState;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.peer.PeerSlot;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.engine.peer.WorkSource;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.time.SharedDeadline;
import org.lrwp.protocol.UpgradeNames;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One context: who serves it, and who waits for it.
 *
 * <pre>
 *   NAMED --first peer--> SERVED --last peer leaves--> GRACE --grace time--> GONE, or NAMED again
 *                            ^-------- a peer ----------|                    when configuration
 *                                                                            names the context
 * </pre>
 *
 * <p>Purpose: a request goes to a free slot at once, or waits in order. Design: whoever adds a
 * request looks for a slot afterwards, and whoever frees a slot looks for a request afterwards, so
 * that one of the two always sees the other. Ordering promises: first in, first out; a request that
 * its peer failed goes first. Thread-safe; never blocks.
 */
public final class ContextAssistant implements Dispatcher {
    private enum State {
        NAMED,
        SERVED,
        GRACE,
        GONE
    }

    /** After the loss of a request that may have been started: docs/protocol.md section 15.5. */
    private static final Duration RETURN_DELAY = Duration.ofMillis(200);

    private final String name;
    private final String virtualHost;
    private final ServedContext served;
    private final NanoClock clock;
    private final Deadlines deadlines;
    private final WorkSource work;
    private final PeerHealth health;
    private final Connections connections;
    private final WaitingQueue waiting;
    private final SharedDeadline late;
    private final Outcomes outcomes = new Outcomes();
    private final ReentrantLock lock = new ReentrantLock();
    private final GuestDispatcher guests = new GuestDispatcher(this);
    private volatile @Nullable Overflow overflow;
    private volatile ContextConfig config;
    private volatile String owner = "";
    private volatile @Nullable Pause pause;
    private State state = State.NAMED;
    private boolean elsewhere;
    private long orphans;

    ContextAssistant(
            String name,
            String virtualHost,
            ContextConfig config,
            NanoClock clock,
            Deadlines deadlines,
            WorkSource work) {
        this.name = name;
        this.virtualHost = virtualHost;
        this.served = new ServedContext(name, virtualHost);
        this.config = config;
        this.clock = clock;
        this.deadlines = deadlines;
        this.work = work;
        this.health = new PeerHealth(name, config.health(), clock, deadlines, this::dispatch);
        this.connections = new Connections(health);
        this.waiting = new WaitingQueue(config.queueLength(), connections::fits);
        this.late = new SharedDeadline(deadlines, 0, this::failLate);
        stick(config.sticky());
    }

    @Override
    public String contextName() {
        return name;
    }

    String virtualHost() {
        return virtualHost;
    }

    /**
     * Returns the limits of this context.
     *
     * @return its configuration
     */
    public ContextConfig config() {
        return config;
    }

    /** Changes the limits; a context that was named stays so. */
    void limit(ContextConfig next) {
        lock.lock();
        try {
            config = config.named() ? next.asNamed() : next;
            waiting.limit(next.queueLength());
            stick(next.sticky());
        } finally {
            lock.unlock();
        }
        health.limit(next.health());
    }

    private void stick(StickyConfig next) {
        StickyPeers known = connections.sticky();
        if (!next.on()) {
            connections.stick(null);
        } else if (known == null) {
            connections.stick(new StickyPeers(new StickyTags(name, virtualHost), health, next));
        } else {
            known.limit(next);
        }
    }

    /**
     * Says whether a process serves this context to which a client may come back by a tag.
     *
     * @param tag what the client shows
     * @return whether it is known here
     */
    public boolean knowsTag(String tag) {
        StickyPeers peers = connections.sticky();
        return peers != null && peers.knows(tag);
    }

    // ---- Peers.

    /** Sets where this context is while requests wait in its queue; before the first request. */
    void crowds(Set<ContextAssistant> crowded) {
        waiting.whenOccupied(
                now -> {
                    if (now) {
                        crowded.add(this);
                    } else {
                        crowded.remove(this);
                    }
                });
    }

    /** Sets whose context it is from now on. */
    void owner(String name) {
        owner = name;
    }

    /**
     * Returns whose context it is: answers of one owner are never given out as those of another.
     *
     * @return the name of the identity that registered it last; empty before the first time
     */
    public String owner() {
        return owner;
    }

    /** Adds a connection; false when the context is gone and another one must be made. */
    boolean add(PeerConnection connection) {
        lock.lock();
        try {
            if (state == State.GONE) {
                return false;
            }
            connections.add(connection);
            state = State.SERVED;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** What a connection can do has changed. */
    void lookAgain() {
        lock.lock();
        try {
            connections.lookAgain();
        } finally {
            lock.unlock();
        }
    }

    /** Removes a connection; when it was the last one the grace time begins. */
    void remove(PeerConnection connection, Runnable whenGone) {
        long mark;
        boolean last;
        lock.lock();
        try {
            if (!connections.remove(connection)) {
                return;
            }
            last = connections.isEmpty();
            if (last) {
                state = State.GRACE;
                orphans++;
            }
            mark = orphans;
        } finally {
            lock.unlock();
        }
        waiting.choosy().forEach(this::lookFor);
        // One that was left out may be back, as it is needed now.
        dispatch();
        if (last) {
            startGrace(mark, whenGone);
        }
    }

    private void startGrace(long mark, Runnable whenGone) {
        deadlines.after(config.grace().toNanos(), () -> endGrace(mark, whenGone));
    }

    private void endGrace(long mark, Runnable whenGone) {
        boolean stays;
        lock.lock();
        try {
            if (state != State.GRACE || mark != orphans) {
                return;
            }
            stays = config.named() || pause != null || elsewhere;
            state = stays ? State.NAMED : State.GONE;
            if (elsewhere) {
                return;
            }
        } finally {
            lock.unlock();
        }
        if (!stays) {
            whenGone.run();
        }
        failAll();
    }

    private void failAll() {
        waiting.pollAll().forEach(exchange -> exchange.failWaiting(Failure.NO_PEER));
    }

    /** Has new requests refused; it stays known meanwhile. Those that are here go on. */
    void pause(Pause told) {
        pause = told;
    }

    /** Has requests taken again; true when it is gone by that, as it has no peer and no name. */
    boolean resume() {
        lock.lock();
        try {
            pause = null;
            if (state != State.NAMED || config.named() || elsewhere) {
                return false;
            }
            state = State.GONE;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says whether requests are refused, because an operator wants it so.
     *
     * @return what clients are told; null when they are taken
     */
    public @Nullable Pause pause() {
        return pause;
    }

    // ---- Other proxies.

    /** Sets who is asked when there is no free slot here; null for nobody. */
    void overflow(@Nullable Overflow beyond) {
        overflow = beyond;
    }

    /**
     * Says whether another proxy serves it: then requests may wait without a peer here.
     *
     * @return false when it is gone: by this, or before
     */
    boolean elsewhere(boolean now) {
        boolean lonely;
        boolean gone;
        lock.lock();
        try {
            if (state == State.GONE) {
                return false;
            }
            elsewhere = now;
            lonely = !now && state == State.NAMED;
            gone = lonely && !config.named() && pause == null;
            if (gone) {
                state = State.GONE;
            }
        } finally {
            lock.unlock();
        }
        if (lonely) {
            failAll();
        }
        return !gone;
    }

    /** How requests of other proxies see it. */
    Dispatcher guests() {
        return guests;
    }

    /** Gives a request a slot that is free now and that nobody waits for; false when none is. */
    boolean serveNow(Exchange exchange) {
        PeerSlot slot = takesGuests() ? connections.claimFor(exchange) : null;
        if (slot != null) {
            send(exchange, slot);
        }
        return slot != null;
    }

    /** How many requests of other proxies would get a slot. */
    int freeForGuests() {
        return takesGuests() ? connections.free() : 0;
    }

    private boolean takesGuests() {
        return pause == null && waiting.size() == 0;
    }

    /** Gives waiting requests to slots of other proxies, as long as there are both. */
    void spill() {
        Overflow beyond = overflow;
        while (beyond != null && waiting.size() > 0) {
            Exchange first = waiting.peek(one -> mayLeave(one, beyond));
            PeerSlot slot = first == null ? null : beyond.claim(served);
            if (first == null || slot == null) {
                return;
            }
            serveFirst(first, slot);
        }
    }

    private boolean mayLeave(Exchange exchange, Overflow beyond) {
        return exchange.tries().mayLeave()
                && !connections.isBound(exchange)
                && beyond.takes(exchange);
    }

    private @Nullable PeerSlot claimElsewhere(Exchange exchange) {
        Overflow beyond = overflow;
        return beyond == null || !mayLeave(exchange, beyond) ? null : beyond.claim(served);
    }

    // ---- Requests.

    @Override
    public void submit(Exchange exchange) {
        UpgradeNames offer = exchange.request().upgrades();
        boolean upgrade = !offer.isEmpty() && connections.hasOneThatTakes(offer);
        if (upgrade && !exchange.upgrade()) {
            return;
        }
        StickyPeers sticky = connections.sticky();
        if (sticky != null) {
            sticky.bind(exchange);
        }
        // Those that wait may not have the slots free of a peer that takes upgrades, or may wait
        // for one process while others are free.
        if (upgrade || sticky != null || waiting.size() == 0) {
            PeerSlot slot = claimAtOnce(exchange, sticky);
            if (slot != null) {
                send(exchange, slot);
                return;
            }
        }
        PeerSlot beyond = claimElsewhere(exchange);
        if (beyond != null) {
            send(exchange, beyond);
        } else if (!mayWait()) {
            exchange.fail(Failure.NO_PEER);
        } else if (!waiting.offer(exchange)) {
            exchange.fail(Failure.QUEUE_FULL);
        } else {
            waits(exchange);
        }
    }

    private @Nullable PeerSlot claimAtOnce(Exchange exchange, @Nullable StickyPeers sticky) {
        PeerSlot slot = connections.claimFor(exchange);
        if (slot == null && sticky != null && sticky.config().patience().isZero()) {
            exchange.tries().leavesHome();
            slot = connections.claimFor(exchange);
        }
        return slot;
    }

    private void send(Exchange exchange, PeerSlot slot) {
        if (!sendBy(slot, exchange)) {
            giveBack(slot);
        }
    }

    /** Nobody may have taken what it offers when it came, or no peer had said yet what it takes. */
    private static boolean sendBy(PeerSlot slot, Exchange exchange) {
        UpgradeNames offer = exchange.request().upgrades();
        if (!offer.isEmpty()
                && !exchange.tries().isUpgrade()
                && slot.connection().takesUpgrade(offer)) {
            exchange.upgrade();
        }
        return slot.send(exchange);
    }

    private void giveBack(PeerSlot slot) {
        slot.release();
        // What came meanwhile saw no free slot.
        work.slotFree(slot.connection());
    }

    @Override
    public void offer(Exchange exchange) {
        StickyPeers sticky = connections.sticky();
        if (failIfNobodyFits(exchange) || (sticky == null && waiting.size() > 0)) {
            return;
        }
        if (sticky != null) {
            sticky.bind(exchange);
        }
        PeerSlot slot = connections.claimStreaming(exchange);
        if (slot != null) {
            send(exchange, slot);
        }
    }

    @Override
    public void resubmit(Exchange exchange) {
        if (failIfNobodyFits(exchange)) {
            return;
        }
        if (!mayWait()) {
            exchange.fail(Failure.NO_PEER);
            return;
        }
        awaitReturn(exchange);
        waiting.offerAgain(exchange);
        waits(exchange);
    }

    private void serveFirst(Exchange exchange, PeerSlot slot) {
        if (waiting.remove(exchange)) {
            send(exchange, slot);
        } else {
            giveBack(slot);
        }
    }

    /**
     * A request that every peer has refused, or whose upgrade no peer takes any more, cannot be
     * answered, however long it waits.
     */
    private boolean failIfNobodyFits(Exchange exchange) {
        boolean nobody = Connections.isExclusive(exchange) && !connections.hasOneFor(exchange);
        if (nobody) {
            boolean refused = exchange.tries().isRefused();
            exchange.fail(refused ? Failure.REFUSED : Failure.NO_PEER);
        }
        return nobody;
    }

    @Override
    public void withdraw(Exchange exchange) {
        waiting.remove(exchange);
    }

    private boolean mayWait() {
        lock.lock();
        try {
            return state == State.SERVED || state == State.GRACE || elsewhere;
        } finally {
            lock.unlock();
        }
    }

    private void waits(Exchange exchange) {
        dispatch();
        spill();
        if (!mayWait()) {
            // The grace time ended between the question and the queue.
            failAll();
        }
        if (waiting.size() > 0) {
            watch(exchange);
        }
        if (connections.isBound(exchange)) {
            awaitHome(exchange);
        }
        if (Connections.isChoosy(exchange)) {
            // The slots that were tried for it may have been those of peers it must not go to.
            lookFor(exchange);
        }
    }

    /** Its own process is busy: any other gets it when it has waited long enough. */
    private void awaitHome(Exchange exchange) {
        Duration patience = config.sticky().patience();
        if (patience.compareTo(config.exchange().queueTime()) < 0) {
            deadlines.after(
                    patience.toNanos(),
                    () -> {
                        exchange.tries().leavesHome();
                        if (exchange.state() == ExchangeState.QUEUED) {
                            claimFor(exchange);
                        }
                    });
        }
    }

    /** Looks for a peer that may have a waiting request which not all of them may have. */
    private void lookFor(Exchange exchange) {
        if (!failIfNobodyFits(exchange)) {
            claimFor(exchange);
        }
    }

    private void claimFor(Exchange exchange) {
        PeerSlot slot = connections.claimFor(exchange);
        if (slot != null) {
            serveFirst(exchange, slot);
        }
    }

    /**
     * The process that may have started a request may be dead, and its other connections not know
     * it yet: it gets the request again only when they have had time to end.
     */
    private void awaitReturn(Exchange exchange) {
        if (exchange.tries().isStarted() && !exchange.tries().mayReturn()) {
            deadlines.after(
                    RETURN_DELAY.toNanos(),
                    () -> {
                        exchange.tries().allowReturn();
                        if (exchange.state() == ExchangeState.QUEUED) {
                            claimFor(exchange);
                        }
                    });
        }
    }

    /** Gives waiting requests to free slots, as long as there are both. */
    void dispatch() {
        while (waiting.size() > 0) {
            PeerSlot slot = connections.claim();
            if (slot == null) {
                return;
            }
            if (!serve(slot)) {
                // Nobody who waits here may use it; but somebody may wait elsewhere.
                work.slotFree(slot.connection());
                return;
            }
        }
    }

    /**
     * Gives a claimed slot the request that waits longest.
     *
     * @return false when none waited that the connection may have; the slot has been given back,
     *     and whoever claimed it must look again for what came meanwhile
     */
    boolean serve(PeerSlot slot) {
        Exchange next = waiting.poll(slot.connection());
        while (next != null && !sendBy(slot, next)) {
            next = waiting.poll(slot.connection());
        }
        if (next == null) {
            slot.release();
        }
        return next != null;
    }

    /** The request that waits longest and that a connection may have; null when there is none. */
    @Nullable Exchange next(PeerConnection connection) {
        return waiting.size() == 0 || !health.takes(connection) ? null : waiting.peek(connection);
    }

    // ---- Deadlines. One timer serves all: it is set for the request that is late next.

    private void watch(Exchange exchange) {
        long now = clock.nanos();
        late.within(exchange.tries().deadlineNanos() - now, now);
    }

    private void failLate() {
        waiting.pollLate(clock.nanos())
                .forEach(exchange -> exchange.failWaiting(Failure.WAITED_TOO_LONG));
        Exchange next = waiting.peekUrgent();
        if (next != null) {
            watch(next);
        }
    }

    // ---- Views.

    int waiting() {
        return waiting.size();
    }

    @Override
    public void tried(Object instance, boolean good) {
        health.answered(instance, good);
    }

    @Override
    public String tagFor(Object instance, String shown) {
        StickyPeers peers = connections.sticky();
        return peers == null ? "" : peers.answers(instance, shown);
    }

    @Override
    public void ended(ExchangeRecord exchange) {
        outcomes.count(exchange.reason());
    }

    /**
     * Returns a picture for status pages.
     *
     * @return the context as it is now
     */
    public ContextStatus status() {
        int slots = 0;
        int free = 0;
        PeerConnection[] now = connections.snapshot();
        for (PeerConnection connection : now) {
            slots += connection.capacity();
            free += connection.free();
        }
        return new ContextStatus(
                name,
                virtualHost,
                now.length > 0,
                now.length,
                slots,
                free,
                slots - free,
                pause,
                waiting.size(),
                health.ejected(),
                health.ejections(),
                StickyPeers.counts(connections.sticky()),
                outcomes.counts());
    }
}
