package org.lrwp.events.fanout;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.channel.Channel;
import org.lrwp.events.event.EventId;
import org.lrwp.events.event.Form;
import org.lrwp.events.event.Seen;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One client that waits: its exchange, its channels, and where it is in them.
 *
 * <pre>
 *   OPEN --nothing for it--> OPEN --write() says enough--> BLOCKED --onWritable--> OPEN
 *    +-- answered, timed out, drained, cut, gone --> over (from any of these, once)
 * </pre>
 *
 * <p>Thread: the handler's until it is handed to its {@link Drainer}, then that drainer's alone;
 * what comes from the exchange (writable, cancelled, done) sets a flag and calls the drainer.
 */
public final class Subscription implements ExchangeListener {
    /** Whoever sends to it. Any thread calls; nothing blocks. */
    interface Keeper {
        /** Something has happened to a subscription. */
        void lookAt(Subscription subscription);

        /** The client of one has left. */
        void left();
    }

    /**
     * What begins a subscription.
     *
     * @param exchange its request and answer
     * @param form how it gets events
     * @param channels which channels, entered and at least one
     * @param headers headers of its answer
     * @param position where it begins: it gets what is behind that
     * @param filter what it has already of what stands behind; null for nothing
     * @param asked the event that it named and nobody knows; null when it did not
     * @param fromOldest whether it wants all there is, so that nothing older is missed
     * @param timeoutNanos how long it waits when it is a poll
     */
    public record Start(
            PeerExchange exchange,
            Form form,
            List<Channel> channels,
            List<HeaderField> headers,
            long position,
            @Nullable Seen filter,
            @Nullable EventId asked,
            boolean fromOldest,
            long timeoutNanos) {
        /** Copies the lists. */
        public Start {
            channels = List.copyOf(channels);
            headers = List.copyOf(headers);
        }
    }

    private final Start start;
    private final Runnable atEnd;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable Keeper keeper;
    private volatile boolean writable;
    private @Nullable EventId asked;
    private boolean fromOldest;
    private long position;
    private boolean listed;
    private boolean blocked;
    private boolean slow;
    private long dueNanos;

    /**
     * Begins a subscription.
     *
     * @param start what it is
     * @param atEnd called once when it is over, on any thread; must not block
     */
    public Subscription(Start start, Runnable atEnd) {
        this.start = start;
        this.atEnd = atEnd;
        this.position = start.position();
        this.asked = start.asked();
        this.fromOldest = start.fromOldest();
    }

    PeerExchange exchange() {
        return start.exchange();
    }

    Form form() {
        return start.form();
    }

    List<Channel> channels() {
        return start.channels();
    }

    List<HeaderField> headers() {
        return start.headers();
    }

    /** What it has already; null for nothing. */
    @Nullable Seen filter() {
        return start.filter();
    }

    long timeoutNanos() {
        return start.timeoutNanos();
    }

    // ---- The end, from any thread.

    /** Whether it is over: nothing may be written any more. */
    boolean isOver() {
        return over.get();
    }

    /** Ends it; false when it is over already. */
    boolean end() {
        if (over.compareAndSet(false, true)) {
            atEnd.run();
            return true;
        }
        return false;
    }

    // ---- From the exchange.

    @Override
    public void onWritable() {
        writable = true;
        Keeper mine = keeper;
        if (mine != null) {
            mine.lookAt(this);
        }
    }

    @Override
    public void onCancelled(String reason) {
        Keeper mine = keeper;
        if (end() && mine != null) {
            mine.left();
        }
        // Only the module's word gives the place to the next request.
        start.exchange().abort("the client is gone");
    }

    @Override
    public void onDone() {
        end();
    }

    // ---- Of its thread.

    /** From now on it belongs to a drainer, which hears of it. */
    void handTo(Keeper to) {
        keeper = to;
    }

    long position() {
        return position;
    }

    void moveTo(long next) {
        position = next;
    }

    /** The position that the client was at and nobody knows; given out once. */
    @Nullable EventId takeAsked() {
        EventId unknown = asked;
        asked = null;
        return unknown;
    }

    /** Whether it wants what there is, so that older events are not missed; asked once. */
    boolean takeFromOldest() {
        boolean first = fromOldest;
        fromOldest = false;
        return first;
    }

    /** Whether this is the first time that its drainer sees it. */
    boolean takeNew() {
        boolean first = !listed;
        listed = true;
        return first;
    }

    /** It has taken enough, at a time. */
    void block(long nanos) {
        blocked = true;
        slow = true;
        dueNanos = nanos;
    }

    /** Whether it may be written to; takes note of what the exchange has said. */
    boolean isWelcome() {
        if (blocked && writable) {
            blocked = false;
        }
        return !blocked;
    }

    /** Whether it has not kept up since it was last blocked. */
    boolean isSlow() {
        return slow;
    }

    /** It has all that there is. */
    void caughtUp() {
        slow = false;
    }

    /** Before each write: what comes after it counts. */
    void expectWritable() {
        writable = false;
    }

    /**
     * When something has to be done: its timeout, its next sign of life, or since when it blocks.
     */
    long dueNanos() {
        return dueNanos;
    }

    void due(long nanos) {
        dueNanos = nanos;
    }
}
