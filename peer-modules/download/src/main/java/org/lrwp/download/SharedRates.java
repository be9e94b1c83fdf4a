package org.lrwp.download;

import org.jspecify.annotations.Nullable;
import org.lrwp.download.policy.Placement;
import org.lrwp.download.rate.Group;
import org.lrwp.download.rate.Limit;
import org.lrwp.download.rate.Quota;
import org.lrwp.download.rate.RateLoop;
import org.lrwp.download.rate.Supply;
import org.lrwp.download.valkey.ValkeyBuckets;
import org.lrwp.runtime.module.Neighbours;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * What of the limits for all downloads, a class and a client is this node's part: as much as it has
 * of their downloads at all nodes of a cluster. The nodes tell each other what they have a few
 * times a second. A node that is not heard any more does not count, so one that is alone has all.
 *
 * <p>With buckets that all take from, a part is only how much a node takes at a time, so that those
 * with more downloads get more; while the buckets are away it is the limit, as without them.
 *
 * <p>Only {@link #beat} is of one thread; whatever else may be called from any. Nothing blocks.
 */
final class SharedRates implements Neighbours.Listener {
    /** How often a node tells what it has. */
    static final Duration BEAT = Duration.ofMillis(250);

    /** A node that has told nothing for so long has nothing. */
    static final Duration SILENCE = Duration.ofSeconds(2);

    /** Groups that a node tells of; each node has the whole limit of any further client. */
    static final int MOST_GROUPS = 2_000;

    private static final System.Logger LOG = System.getLogger(SharedRates.class.getName());
    private static final long ALL = key("");
    private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

    private final LongSupplier nanoTime;
    private final Map<Neighbours.Origin, Told> others = new ConcurrentHashMap<>();
    private volatile Map<Long, Integer> own = Map.of();
    private final AtomicBoolean changed = new AtomicBoolean();
    private volatile @Nullable Exact exact;
    private boolean spoke;

    /** What another node has told last. */
    private record Told(long at, Map<Long, Integer> downloads) {}

    /** What the nodes call a class, and a client in it. */
    private record Keys(long ofClass, long ofClient) {}

    /** What a download counts as. Its keys are made when nodes share a limit, and once. */
    static final class Download {
        private final Placement placement;
        private volatile @Nullable Keys keys;

        private Download(Placement placement) {
            this.placement = placement;
        }

        /** The same again, as long as it is where it was. */
        static Download of(Placement placement, @Nullable Download before) {
            return before != null && before.placement.equals(placement)
                    ? before
                    : new Download(placement);
        }

        private Keys keys() {
            Keys known = keys;
            if (known == null) {
                String name = placement.trafficClass().name();
                known = new Keys(key(name), key(name + " " + placement.client()));
                keys = known;
            }
            return known;
        }
    }

    SharedRates(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Has limits kept to the byte from now on, while the buckets are there.
     *
     * @param buckets those of all nodes
     * @param loop the rates here
     * @param timer for what may not be sent yet
     */
    void exactBy(ValkeyBuckets buckets, RateLoop loop, ScheduledExecutorService timer) {
        exact = new Exact(buckets, loop, timer);
    }

    /** What is here of the limit of all downloads. */
    Quota all(Limit limit) {
        return isWhole(limit) ? Quota.of(limit) : quota(limit, ALL);
    }

    /** What is here of the limit of a download's class. */
    Quota ofClass(Download download) {
        Limit limit = download.placement.trafficClass().all();
        return isWhole(limit) ? Quota.of(limit) : quota(limit, download.keys().ofClass);
    }

    /** What is here of the limit of a download's client. */
    Quota ofClient(Download download) {
        Limit limit = download.placement.trafficClass().client();
        return isWhole(limit) ? Quota.of(limit) : quota(limit, download.keys().ofClient);
    }

    private boolean isWhole(Limit limit) {
        return !limit.isLimited() || (others.isEmpty() && exact == null);
    }

    private Quota quota(Limit limit, long key) {
        Exact known = exact;
        return known != null && known.buckets.isThere()
                ? new Quota(limit, new Drawn(this, known, key, limit))
                : Quota.of(part(limit, key));
    }

    private Limit part(Limit limit, long key) {
        long elsewhere = 0;
        for (Told told : others.values()) {
            elsewhere += told.downloads.getOrDefault(key, 0);
        }
        // Whoever asks is about to have one.
        long here = Math.max(1, own.getOrDefault(key, 0));
        return limit.part(here, here + elsewhere);
    }

    /** Buckets of all nodes, and what brings their content to the tree. */
    private record Exact(ValkeyBuckets buckets, RateLoop loop, ScheduledExecutorService timer) {}

    /** Fills a bucket of the tree from one of all nodes. */
    private record Drawn(SharedRates shares, Exact exact, long key, Limit limit) implements Supply {
        @Override
        public void draw(Group group, long bytes) {
            long asked = Math.min(bytes, shares.part(limit, key).burstBytes());
            var _ =
                    exact.buckets
                            .take(bucket(), asked)
                            .whenComplete(
                                    (taken, fault) -> {
                                        if (fault == null) {
                                            depositLater(group, taken);
                                        } else {
                                            exact.loop.hurry(tree -> tree.failed(group, this));
                                        }
                                    });
        }

        private void depositLater(Group group, ValkeyBuckets.Taken taken) {
            long nanos = taken.delay().toNanos();
            if (nanos <= 0) {
                deposit(group, taken.bytes());
            } else {
                Future<?> _ =
                        exact.timer.schedule(
                                () -> deposit(group, taken.bytes()), nanos, TimeUnit.NANOSECONDS);
            }
        }

        private void deposit(Group group, long bytes) {
            exact.loop.hurry(tree -> tree.deposit(group, this, bytes));
        }

        @Override
        public void giveBack(long bytes) {
            exact.buckets.giveBack(bucket(), bytes);
        }

        private ValkeyBuckets.Bucket bucket() {
            return new ValkeyBuckets.Bucket(Long.toHexString(key), limit);
        }
    }

    /**
     * Counts what there is here, tells the others, and forgets those that are silent.
     *
     * @param downloads those with a limit
     * @param voice tells the others
     * @return whether a part may be another one than before
     */
    boolean beat(Collection<Download> downloads, Neighbours.Voice voice) {
        long now = nanoTime.getAsLong();
        if (others.values().removeIf(told -> now - told.at > SILENCE.toNanos())) {
            changed.set(true);
        }
        Map<Long, Integer> counts = new LinkedHashMap<>();
        for (Download one : downloads) {
            count(counts, ALL);
            Keys keys = one.keys();
            count(counts, keys.ofClass);
            count(counts, keys.ofClient);
        }
        boolean isChanged = changed.getAndSet(false) || (!others.isEmpty() && !own.equals(counts));
        own = counts;
        // The last word says that there is nothing any more.
        if (spoke || !counts.isEmpty()) {
            voice.tell(bytes(counts));
        }
        spoke = !counts.isEmpty();
        return isChanged;
    }

    private static void count(Map<Long, Integer> counts, long key) {
        if (counts.size() < MOST_GROUPS || counts.containsKey(key)) {
            counts.merge(key, 1, Integer::sum);
        }
    }

    /** Others are not told who the clients are: a name may be somebody's key. */
    private static long key(String group) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return ByteBuffer.wrap(digest.digest(group.getBytes(StandardCharsets.UTF_8))).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    // ---- Words: a key and a count for each group.

    private static byte[] bytes(Map<Long, Integer> counts) {
        var bytes = new ByteArrayOutputStream(counts.size() * ENTRY_BYTES);
        try (var out = new DataOutputStream(bytes)) {
            for (Map.Entry<Long, Integer> entry : counts.entrySet()) {
                out.writeLong(entry.getKey());
                out.writeInt(entry.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    private static Map<Long, Integer> read(byte[] word) throws IOException {
        if (word.length % ENTRY_BYTES != 0 || word.length > MOST_GROUPS * ENTRY_BYTES) {
            throw new IOException(word.length + " bytes are no list of groups");
        }
        Map<Long, Integer> counts = new HashMap<>();
        try (var in = new DataInputStream(new ByteArrayInputStream(word))) {
            while (in.available() > 0) {
                counts.put(in.readLong(), Math.max(0, in.readInt()));
            }
        }
        return counts;
    }

    @Override
    public void heard(Neighbours.Origin origin, long number, byte[] word) {
        try {
            Told told = new Told(nanoTime.getAsLong(), read(word));
            Told before = others.put(origin, told);
            if (before == null || !before.downloads.equals(told.downloads)) {
                changed.set(true);
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "download-rates-not-understood node={0}", origin.node());
        }
    }

    @Override
    public void missed(Neighbours.Origin origin, long last) {
        // The next word says all.
    }

    @Override
    public void found(Neighbours.Origin origin, long last) {
        // The next word says all.
    }
}
