package org.lrwp.download;

import org.jspecify.annotations.Nullable;
import org.lrwp.download.policy.Placement;
import org.lrwp.download.policy.TrafficClass;
import org.lrwp.download.rate.CreditSink;
import org.lrwp.download.rate.Flow;
import org.lrwp.download.rate.Group;
import org.lrwp.download.rate.Quota;
import org.lrwp.download.rate.RateTree;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.FileRegion;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.SerialTask;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * One body on its way. It needs three things for each step: bytes, leave from the rates, and a
 * client that takes more.
 *
 * <pre>
 *   SENDING --last byte--------------------> OVER   exchange completed
 *      +----client gone, file cut or changed--> OVER   exchange aborted
 * </pre>
 *
 * <p>Whatever happens (bytes read, leave granted, client ready, client gone) leaves a mark and
 * takes a turn; one thread at a time is in {@link #turn}, whichever came first, and it never waits:
 * the file is read on disk threads, one piece ahead. Leave that cannot be used because the client
 * does not take more goes back to the buckets at once.
 */
final class Transfer extends SerialTask implements ExchangeListener, CreditSink, LentPart.Listener {
    private static final int FIRST_PIECE = 32_768;
    private static final int MOST_PIECE = 262_144;
    private static final int MOST_WRITE = 65_536;

    /** As much of a file as is lent at once: so much may go out after a limit has come. */
    private static final int MOST_LENT = 2 << 20;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private enum State {
        SENDING,
        OVER
    }

    private final PeerExchange exchange;
    private final Ground ground;
    private final BodySource source;
    private final Consumer<Transfer> done;

    private final AtomicInteger blocked = new AtomicInteger();
    private final AtomicLong credit = new AtomicLong();
    private final AtomicInteger lentParts = new AtomicInteger();

    /** The flow that has said what it wants: a new one has not, whatever the one before it has. */
    private final AtomicReference<@Nullable Flow> asked = new AtomicReference<>();

    private final AtomicReference<@Nullable ByteBuffer> arrived = new AtomicReference<>();
    private volatile @Nullable String trouble;
    private volatile @Nullable Flow flow;
    private volatile SharedRates.@Nullable Download counted;
    private volatile int piece = FIRST_PIECE;

    private volatile State state = State.SENDING;

    // Only in turn().
    private ByteBuffer current = NOTHING;
    private ByteBuffer ahead = NOTHING;
    private boolean reading;

    Transfer(PeerExchange exchange, Ground ground, BodySource source, Consumer<Transfer> done) {
        this.exchange = exchange;
        this.ground = ground;
        this.source = source;
        this.done = done;
    }

    PeerExchange exchange() {
        return exchange;
    }

    /** What it counts as where limits are shared with other nodes; null when it has no limit. */
    SharedRates.@Nullable Download counted() {
        return counted;
    }

    /** Puts it where it belongs, now or anew; on the rate loop's thread. */
    void place(RateTree tree, Placement placement, SharedRates shares) {
        Flow before = flow;
        if (!placement.limited()) {
            counted = null;
            if (before != null) {
                flow = null;
                giveBack(before);
                tree.leave(before);
            }
        } else {
            TrafficClass to = placement.trafficClass();
            SharedRates.Download download = SharedRates.Download.of(placement, counted);
            Quota all = shares.ofClass(download);
            Group group = tree.group(tree.root(), to.name(), all, to.weight());
            Quota own = shares.ofClient(download);
            Group client = tree.group(group, placement.client(), own, 1);
            counted = download;
            Flow now = before == null ? new Flow(this) : before;
            tree.join(now, client, to.request());
            piece = pieceOf(to);
            flow = now;
        }
        run();
    }

    /** As much as is sent at once, so that a slow download holds little memory. */
    private static int pieceOf(TrafficClass to) {
        if (!to.request().isLimited()) {
            return MOST_WRITE;
        }
        long burst = to.request().rate() * to.request().burst().toMillis() / 1000;
        long fast = to.request().rate() / 25;
        return (int)
                Math.max(4096, Math.max(Math.min(burst, MOST_WRITE), Math.min(fast, MOST_PIECE)));
    }

    @Override
    public void granted(Flow mine, long bytes) {
        if (mine.equals(flow)) {
            credit.addAndGet(bytes);
            asked.set(null);
            run();
        } else {
            ground.loop().giveBack(mine, bytes);
        }
    }

    @Override
    public void onWritable() {
        blocked.decrementAndGet();
        run();
    }

    @Override
    public void onCancelled(String reason) {
        fail("the client is gone", ground.counters().left);
    }

    @Override
    public void onDone() {
        // An exchange may end without a word of ours, when its connection is lost.
        fail("the exchange is over", ground.counters().left);
        if (source.isLent()) {
            // Nobody looks at its parts any more.
            source.close();
        }
        done.accept(this);
    }

    private void fail(String reason, LongAdder counter) {
        if (trouble == null && state == State.SENDING) {
            trouble = reason;
            counter.increment();
            run();
        }
    }

    @Override
    protected void turn() {
        Flow mine = flow;
        if (state == State.SENDING && trouble != null) {
            end(mine);
        }
        if (state == State.OVER) {
            giveBack(mine);
            if (mine != null) {
                // It may have been placed after its end.
                ground.loop().leave(mine);
            }
            return;
        }
        takeArrived();
        if (source.isLent()) {
            lend();
        } else {
            write();
        }
        if (isWritten()) {
            end(mine);
            return;
        }
        readAhead();
        if (blocked.get() > 0) {
            giveBack(mine);
        } else if (mine != null && wants() && !mine.equals(asked.getAndSet(mine))) {
            long atHand = source.isAtHand() ? source.remaining() : 0;
            ground.loop().want(mine, current.remaining() + ahead.remaining() + atHand);
        }
    }

    private boolean wants() {
        return current.hasRemaining() || (source.isLent() && source.remaining() > 0);
    }

    /** A part that was lent can still fail, and after its completion an answer cannot be cut. */
    private boolean isWritten() {
        return !current.hasRemaining()
                && !ahead.hasRemaining()
                && !reading
                && source.remaining() == 0
                && lentParts.get() == 0;
    }

    private void takeArrived() {
        ByteBuffer bytes = arrived.getAndSet(null);
        if (bytes != null) {
            reading = false;
            if (current.hasRemaining()) {
                ahead = bytes;
            } else {
                current = bytes;
            }
        }
    }

    private void write() {
        while (blocked.get() <= 0 && hasBytes()) {
            // Each time anew: a limit may come, or go, while a client takes one after another.
            Flow mine = flow;
            int most = Math.min(MOST_WRITE, current.remaining());
            int count = mine == null ? most : (int) takeCredit(most);
            if (count == 0) {
                return;
            }
            ByteBuffer bytes = current.slice(current.position(), count);
            current.position(current.position() + count);
            ground.counters().bytes.add(count);
            if (!exchange.write(bytes)) {
                blocked.incrementAndGet();
            }
        }
    }

    private void lend() {
        while (blocked.get() <= 0 && source.remaining() > 0) {
            Flow mine = flow;
            long most = Math.min(MOST_LENT, source.remaining());
            long leave = mine == null ? most : takeCredit(most);
            if (leave == 0) {
                return;
            }
            FileRegion part = source.lend(leave, this);
            lentParts.incrementAndGet();
            ground.counters().bytes.add(part.length());
            ground.counters().lent.add(part.length());
            if (!exchange.write(part)) {
                blocked.incrementAndGet();
            }
        }
    }

    @Override
    public void partSent() {
        lentParts.decrementAndGet();
        run();
    }

    @Override
    public void partFailed(String reason) {
        failed(reason);
    }

    private void failed(String reason) {
        fail(reason, ground.counters().failed);
    }

    /** Makes the next bytes the current ones, if they are there without waiting. */
    private boolean hasBytes() {
        if (!current.hasRemaining() && ahead.hasRemaining()) {
            current = ahead;
            ahead = NOTHING;
        }
        if (!current.hasRemaining() && source.isInMemory() && source.remaining() > 0) {
            try {
                current = source.next(Integer.MAX_VALUE);
            } catch (IOException e) {
                throw new IllegalStateException("memory does not fail", e);
            }
        }
        return current.hasRemaining();
    }

    private void readAhead() {
        boolean low = current.remaining() <= piece / 4;
        if (source.isAtHand() || reading || !low || ahead.hasRemaining()) {
            return;
        }
        if (source.remaining() > 0) {
            reading = true;
            if (!ground.disk().execute(this::read)) {
                failed("the module ends");
            }
        }
    }

    /** On a disk thread; the source is its own until the bytes have arrived. */
    private void read() {
        try {
            int size = piece;
            if (flow == null) {
                // Who takes fast gets larger pieces; who does not never gets there.
                piece = Math.min(MOST_PIECE, size * 2);
            }
            arrived.set(source.next(size));
            run();
        } catch (IOException e) {
            failed(String.valueOf(e.getMessage()));
        }
    }

    private void end(@Nullable Flow mine) {
        state = State.OVER;
        giveBack(mine);
        if (mine != null) {
            ground.loop().leave(mine);
        }
        String reason = trouble;
        if (reason == null) {
            exchange.complete();
        } else {
            exchange.abort(reason);
        }
        if (!source.isLent()) {
            source.close();
        }
        current = NOTHING;
        ahead = NOTHING;
    }

    /** Takes so much or what is there; never more, even if it is given back meanwhile. */
    private long takeCredit(long most) {
        return Math.min(most, credit.getAndUpdate(have -> have - Math.min(most, have)));
    }

    private void giveBack(@Nullable Flow mine) {
        long unused = credit.getAndSet(0);
        if (mine != null && unused > 0) {
            ground.loop().giveBack(mine, unused);
        }
    }
}
