package org.lrwp.download.valkey;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;

import org.jspecify.annotations.Nullable;
import org.lrwp.download.rate.Limit;

import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Token buckets in a Valkey server, from which several processes take.
 *
 * <pre>
 *   AWAY --a connection says what time it is--> THERE
 *     ^------------any command fails--------------|      (close: CLOSED, from both)
 * </pre>
 *
 * <p>Purpose: what all take together is never more than a limit lets through. Whoever takes more
 * than there is gets it later, behind those who came before, so nobody is left without.
 *
 * <p>Design: time is that of the server, which each process asks for once a second, so that their
 * own clocks may differ. A bucket that nobody takes from is forgotten when it would be full.
 * Thread-safe; nothing blocks but {@link #close}, for a moment.
 */
public final class ValkeyBuckets implements AutoCloseable {
    private enum State {
        AWAY,
        THERE,
        CLOSED
    }

    private static final System.Logger LOG = System.getLogger(ValkeyBuckets.class.getName());

    /** How often the server is asked for the time, or dialled again. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** The library counts at most one token in a nanosecond. */
    private static final long MOST_TOKENS = 500_000_000;

    private static final Duration LONGEST_END = Duration.ofSeconds(1);
    private static final Duration LONGEST_UNUSED = Duration.ofMinutes(1);
    private static final int THREADS = 2;
    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long MICRO_NANOS = 1_000;

    private final ValkeyServer server;
    private final String prefix;
    private final LongSupplier nanoTime;
    private final Runnable changed;
    private final ClientResources resources;
    private final RedisClient client;
    private final Future<?> looking;
    private final AtomicReference<State> state = new AtomicReference<>(State.AWAY);
    private final AtomicReference<@Nullable Line> line = new AtomicReference<>();
    private final AtomicReference<@Nullable String> told = new AtomicReference<>();

    /**
     * The last dialling, with what follows from it; the timer's. A second connection at the same
     * time would replace the first, and what was asked of that would fail.
     */
    private Future<?> dialled = CompletableFuture.completedFuture(null);

    /** What the clock of the server is ahead of ours. */
    private volatile long ahead;

    /**
     * A bucket that all know.
     *
     * @param name what it is for, 1 or more characters
     * @param limit how fast it is filled, and how much it holds; those of another limit are others
     */
    public record Bucket(String name, Limit limit) {
        /** Checks. */
        public Bucket {
            if (name.isEmpty() || !limit.isLimited()) {
                throw new IllegalArgumentException("a bucket has a name and a limit");
            }
        }

        private String key(String prefix) {
            long burst = limit.burst().toMillis();
            return prefix + ":" + name + ":" + limit.rate() + ":" + burst;
        }

        /** Bytes of one token. */
        private long unit() {
            return 1 + (limit.rate() - 1) / MOST_TOKENS;
        }

        private BucketConfiguration configuration() {
            long rate = Math.max(1, limit.rate() / unit());
            long burst = Math.max(1, limit.burstBytes() / unit());
            return BucketConfiguration.builder()
                    .addLimit(one -> one.capacity(burst).refillGreedy(rate, Duration.ofSeconds(1)))
                    .build();
        }
    }

    /**
     * What has been taken.
     *
     * @param bytes 1 or more
     * @param delay after which they may be sent; 0 for now
     */
    public record Taken(long bytes, Duration delay) {}

    /** A connection, once it is open. */
    private record Line(
            StatefulRedisConnection<String, byte[]> connection, AsyncProxyManager<String> buckets) {
        void close() {
            var _ = connection.closeAsync();
        }
    }

    /** The server's clock, as far as it is known here. */
    private final class ServerTime implements TimeMeter {
        @Override
        public long currentTimeNanos() {
            return nanoTime.getAsLong() + ahead;
        }

        @Override
        public boolean isWallClockBased() {
            return true;
        }
    }

    /**
     * Dials, and goes on dialling.
     *
     * @param server which
     * @param name all buckets are below this one; no other kind of process uses it
     * @param nanoTime a clock like {@code System::nanoTime}
     * @param timer for what is done each second
     * @param changed told when {@link #isThere} says something else; any thread, must not block
     */
    public ValkeyBuckets(
            ValkeyServer server,
            String name,
            LongSupplier nanoTime,
            ScheduledExecutorService timer,
            Runnable changed) {
        this.server = server;
        this.prefix = "lrwp:rate:" + name;
        this.nanoTime = nanoTime;
        this.changed = changed;
        this.resources =
                ClientResources.builder()
                        .ioThreadPoolSize(THREADS)
                        .computationThreadPoolSize(THREADS)
                        .build();
        this.client = RedisClient.create(resources);
        client.setOptions(server.options());
        this.looking =
                timer.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Says whether the server answers.
     *
     * @return false too while nobody knows
     */
    public boolean isThere() {
        return state.get() == State.THERE;
    }

    /**
     * Takes bytes, those that are still to come too.
     *
     * @param bucket from which
     * @param bytes 1 or more; as a bucket counts in larger units where its rate is above 500 MB a
     *     second, some more may be taken
     * @return what has been taken; fails when the server does not answer in time
     */
    public CompletableFuture<Taken> take(Bucket bucket, long bytes) {
        Line open = line.get();
        if (open == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("not connected"));
        }
        long tokens = 1 + (bytes - 1) / bucket.unit();
        return proxy(open, bucket)
                .consumeIgnoringRateLimits(tokens)
                .thenApply(nanos -> new Taken(tokens * bucket.unit(), Duration.ofNanos(nanos)))
                .whenComplete((_, fault) -> lostWith(open, fault));
    }

    /**
     * Puts bytes back that were taken and are not sent. Where the server is away they are lost.
     *
     * @param bucket whose they are
     * @param bytes 0 or more
     */
    public void giveBack(Bucket bucket, long bytes) {
        Line open = line.get();
        long tokens = bytes / bucket.unit();
        if (open != null && tokens > 0) {
            var _ =
                    proxy(open, bucket)
                            .addTokens(tokens)
                            .whenComplete((_, fault) -> lostWith(open, fault));
        }
    }

    private AsyncBucketProxy proxy(Line open, Bucket bucket) {
        return open.buckets.getProxy(
                bucket.key(prefix),
                () -> CompletableFuture.completedFuture(bucket.configuration()));
    }

    // ---- The connection.

    private void look() {
        // Asked before the connection is looked for: it may be there by then.
        boolean isDialled = dialled.isDone();
        Line open = line.get();
        if (open != null) {
            askForTheTime(open);
        } else if (isDialled) {
            dial();
        }
    }

    private void dial() {
        RedisCodec<String, byte[]> codec =
                RedisCodec.of(StringCodec.ASCII, ByteArrayCodec.INSTANCE);
        dialled =
                client.connectAsync(codec, server.uri())
                        .whenComplete(
                                (connection, fault) -> {
                                    if (connection != null) {
                                        opened(connection);
                                    } else {
                                        lost(reason(fault));
                                    }
                                })
                        .toCompletableFuture();
    }

    private void opened(StatefulRedisConnection<String, byte[]> connection) {
        Line opened = new Line(connection, buckets(connection));
        line.set(opened);
        if (state.get() == State.CLOSED) {
            opened.close();
        } else {
            askForTheTime(opened);
        }
    }

    private AsyncProxyManager<String> buckets(StatefulRedisConnection<String, byte[]> connection) {
        return Bucket4jLettuce.casBasedBuilder(connection)
                .clientClock(new ServerTime())
                .requestTimeout(server.patience())
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                                LONGEST_UNUSED))
                .build()
                .asAsync();
    }

    private void askForTheTime(Line open) {
        long asked = nanoTime.getAsLong();
        var _ =
                open.connection
                        .async()
                        .time()
                        .whenComplete(
                                (answer, fault) -> {
                                    if (fault == null) {
                                        heard(answer, asked);
                                    } else {
                                        lostWith(open, fault);
                                    }
                                });
    }

    /** Seconds and microseconds, of a moment about half way between question and answer. */
    private void heard(List<byte[]> answer, long asked) {
        long nanos = number(answer.get(0)) * SECOND_NANOS + number(answer.get(1)) * MICRO_NANOS;
        ahead = nanos - (asked + (nanoTime.getAsLong() - asked) / 2);
        if (state.compareAndSet(State.AWAY, State.THERE)) {
            told.set(null);
            changed.run();
            LOG.log(Level.INFO, "download-rates-exact valkey={0}", server.address());
        }
    }

    private static long number(byte[] text) {
        return Long.parseLong(new String(text, StandardCharsets.US_ASCII));
    }

    private void lostWith(Line open, @Nullable Throwable fault) {
        if (fault != null && line.compareAndSet(open, null)) {
            open.close();
            lost(reason(fault));
        }
    }

    private static String reason(Throwable fault) {
        Throwable cause = fault;
        for (Throwable next = cause.getCause(); next != null; next = cause.getCause()) {
            cause = next;
        }
        return Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    }

    /** Tells the same once. */
    private void lost(String reason) {
        boolean was = state.compareAndSet(State.THERE, State.AWAY);
        if (state.get() != State.CLOSED && !reason.equals(told.getAndSet(reason))) {
            LOG.log(
                    Level.WARNING,
                    "download-rates-not-exact valkey={0} reason={1}",
                    server.address(),
                    reason);
        }
        if (was) {
            changed.run();
        }
    }

    @Override
    public void close() {
        state.set(State.CLOSED);
        looking.cancel(false);
        Line open = line.getAndSet(null);
        if (open != null) {
            open.close();
        }
        client.shutdown(Duration.ZERO, LONGEST_END);
        var _ = resources.shutdown(0, LONGEST_END.toMillis(), TimeUnit.MILLISECONDS);
    }
}
