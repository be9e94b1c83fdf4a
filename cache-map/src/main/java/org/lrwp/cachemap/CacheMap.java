package org.lrwp.cachemap;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A cache in one mapped file. Keys are 64-bit numbers, all of them, or bytes, at least one; the two
 * kinds never meet. Values are bytes, also none.
 *
 * <p>Any thread may call any method. Reads wait for nobody unless a writer keeps changing the same
 * segment; writes wait for writes in the same segment. What a put has written is there after a
 * restart and after {@code kill -9}, for as long as the machine runs; whether it still is, nobody
 * promises: it is a cache. A value that is read is one that was put with its key, whole, and the
 * newest at that moment.
 *
 * <p>One process owns a file at a time. After {@link #close()} all methods throw {@link
 * IllegalStateException}.
 */
public final class CacheMap implements AutoCloseable {
    private final CacheMapConfig config;
    private final OwnerLock owner;
    private final Arena arena;
    private final MemorySegment map;
    private final FileHead file;
    private final Segment[] segments;
    private final RecoveryReport recovery;
    private boolean closed;

    private CacheMap(CacheMapConfig config, OwnerLock owner, Arena arena)
            throws CacheFileException {
        long began = System.nanoTime();
        this.config = config;
        this.owner = owner;
        this.arena = arena;
        MapFile.Mapped mapped = new MapFile(config).open(arena);
        map = mapped.map();
        file = mapped.head();
        segments = new Segment[file.segments()];
        long now = config.clock().millis();
        RecoveryReport.Counts counts =
                IntStream.range(0, segments.length)
                        .parallel()
                        .mapToObj(
                                number -> {
                                    Segment segment = new Segment(map, number, file, config);
                                    segments[number] = segment;
                                    return segment.recover(number, file, now);
                                })
                        .reduce(RecoveryReport.Counts.NONE, RecoveryReport.Counts::plus);
        recovery =
                new RecoveryReport(
                        mapped.outcome(),
                        mapped.reason(),
                        counts,
                        Duration.ofNanos(System.nanoTime() - began));
    }

    /**
     * Opens or makes a file. Blocks: making it takes as long as writing all its bytes, opening it
     * grows with the number of entries.
     *
     * @param config what it shall be
     * @return the map; the caller closes it
     * @throws CacheFileException when the file system has not room for it, another owner has it, or
     *     the file is not a cache file
     */
    public static CacheMap open(CacheMapConfig config) throws CacheFileException {
        OwnerLock owner = OwnerLock.take(config.file());
        Arena arena = Arena.ofShared();
        boolean done = false;
        try {
            CacheMap map = new CacheMap(config, owner, arena);
            done = true;
            return map;
        } finally {
            if (!done) {
                arena.close();
                owner.close();
            }
        }
    }

    /**
     * Returns what opening the file found.
     *
     * @return the report
     */
    public RecoveryReport recovery() {
        return recovery;
    }

    /**
     * Returns the largest value that fits, with its key's bytes.
     *
     * @return bytes
     */
    public int largestValue() {
        return Entry.largestValue(file.segmentSize());
    }

    // --- Reading ------------------------------------------------------------------------------

    /**
     * Returns a value.
     *
     * @param key any number
     * @return a copy of its bytes, or null when there is none
     */
    public byte @Nullable [] get(long key) {
        return get(number(key));
    }

    /**
     * Returns a value.
     *
     * @param key at least one byte
     * @return a copy of its bytes, or null when there is none
     */
    public byte @Nullable [] get(byte[] key) {
        return get(bytes(key));
    }

    /** Copies a value to wherever; for tests of what happens meanwhile. */
    boolean read(long key, Reading to) {
        Key number = number(key);
        return segment(number).read(number, to, config.clock().millis());
    }

    private byte @Nullable [] get(Key key) {
        Reading.ToArray to = new Reading.ToArray();
        return segment(key).read(key, to, config.clock().millis()) ? to.bytes : null;
    }

    /**
     * Copies a value to the caller's buffer, from its position on; position and limit stay.
     *
     * @param key any number
     * @param buffer takes the bytes when they fit; what it held there may be lost in any case
     * @return the bytes of the value, -1 when there is none; when they are more than {@link
     *     ByteBuffer#remaining()} nothing was copied
     */
    public int get(long key, ByteBuffer buffer) {
        return get(number(key), buffer);
    }

    /**
     * Copies a value to the caller's buffer, like {@link #get(long, ByteBuffer)}.
     *
     * @param key at least one byte
     * @param buffer takes the bytes when they fit
     * @return the bytes of the value, -1 when there is none
     */
    public int get(byte[] key, ByteBuffer buffer) {
        return get(bytes(key), buffer);
    }

    private int get(Key key, ByteBuffer buffer) {
        Reading.ToBuffer to = new Reading.ToBuffer(buffer);
        return segment(key).read(key, to, config.clock().millis()) ? to.length : -1;
    }

    /**
     * Says whether there is a value. Counts as a read.
     *
     * @param key any number
     * @return whether there is
     */
    public boolean contains(long key) {
        Key number = number(key);
        return segment(number).read(number, new Reading.Nowhere(), config.clock().millis());
    }

    /**
     * Shows a value where it stands, without a copy. Keeps writers of its segment waiting.
     *
     * @param key any number
     * @param visitor looks at it, on this thread
     * @param <T> what the visitor returns
     * @return that, or null when there is no value
     */
    public <T extends @Nullable Object> @Nullable T visit(long key, EntryVisitor<T> visitor) {
        Key number = number(key);
        return segment(number).visit(number, config.clock().millis(), visitor);
    }

    /**
     * Shows a value where it stands, like {@link #visit(long, EntryVisitor)}.
     *
     * @param key at least one byte
     * @param visitor looks at it, on this thread
     * @param <T> what the visitor returns
     * @return that, or null when there is no value
     */
    public <T extends @Nullable Object> @Nullable T visit(byte[] key, EntryVisitor<T> visitor) {
        Key bytes = bytes(key);
        return segment(bytes).visit(bytes, config.clock().millis(), visitor);
    }

    // --- Writing ------------------------------------------------------------------------------

    /**
     * Writes a value that stays as long as the configuration says.
     *
     * @param key any number
     * @param value its bytes, copied
     * @return whether there was one before
     * @throws IllegalArgumentException for a value above {@link #largestValue()}
     */
    public PutResult put(long key, byte[] value) {
        return put(number(key), ByteBuffer.wrap(value), config.timeToLive(), null);
    }

    /**
     * Writes a value.
     *
     * @param key any number
     * @param value its bytes from position to limit, which stay; copied
     * @param timeToLive how long it stays; zero for ever
     * @return whether there was one before
     * @throws IllegalArgumentException for a value above {@link #largestValue()}
     */
    public PutResult put(long key, ByteBuffer value, Duration timeToLive) {
        return put(number(key), value, timeToLive, null);
    }

    /**
     * Writes a value.
     *
     * @param key at least one byte, copied
     * @param value its bytes from position to limit, which stay; copied
     * @param timeToLive how long it stays; zero for ever
     * @return whether there was one before
     * @throws IllegalArgumentException for a key and value above {@link #largestValue()}
     */
    public PutResult put(byte[] key, ByteBuffer value, Duration timeToLive) {
        return put(bytes(key), value, timeToLive, null);
    }

    /**
     * Writes a value where there is none.
     *
     * @param key any number
     * @param value its bytes, copied
     * @return {@code ADDED}, or {@code REFUSED} when there was one
     * @throws IllegalArgumentException for a value above {@link #largestValue()}
     */
    public PutResult putIfAbsent(long key, byte[] value) {
        return put(number(key), ByteBuffer.wrap(value), config.timeToLive(), false);
    }

    /**
     * Writes a value where there is none.
     *
     * @param key any number
     * @param value its bytes from position to limit, which stay; copied
     * @param timeToLive how long it stays; zero for ever
     * @return {@code ADDED}, or {@code REFUSED} when there was one
     * @throws IllegalArgumentException for a value above {@link #largestValue()}
     */
    public PutResult putIfAbsent(long key, ByteBuffer value, Duration timeToLive) {
        return put(number(key), value, timeToLive, false);
    }

    /**
     * Writes a value where there is one.
     *
     * @param key any number
     * @param value its bytes, copied
     * @return {@code REPLACED}, or {@code REFUSED} when there was none
     * @throws IllegalArgumentException for a value above {@link #largestValue()}
     */
    public PutResult replace(long key, byte[] value) {
        return put(number(key), ByteBuffer.wrap(value), config.timeToLive(), true);
    }

    private PutResult put(
            Key key, ByteBuffer value, Duration timeToLive, @Nullable Boolean wanted) {
        long now = config.clock().millis();
        long expiry = timeToLive.isZero() ? 0 : Math.addExact(now, timeToLive.toMillis());
        return segment(key).put(key, new Value(value, expiry, now), wanted);
    }

    /**
     * Removes a value.
     *
     * @param key any number
     * @return whether there was one
     */
    public boolean remove(long key) {
        Key number = number(key);
        return segment(number).remove(number, config.clock().millis());
    }

    /**
     * Removes a value.
     *
     * @param key at least one byte
     * @return whether there was one
     */
    public boolean remove(byte[] key) {
        Key bytes = bytes(key);
        return segment(bytes).remove(bytes, config.clock().millis());
    }

    /**
     * Removes all values whose key is wanted, segment after segment. Looks at all keys of bytes;
     * readers and writers of a segment wait while it is looked at.
     *
     * @param wanted told each key of bytes once; must neither block nor call the map
     * @return how many were removed
     */
    public int removeKeys(Predicate<byte[]> wanted) {
        int removed = 0;
        for (Segment segment : segments) {
            removed += segment.removeKeys(wanted);
        }
        return removed;
    }

    /** Removes all values, segment after segment. */
    public void clear() {
        for (Segment segment : segments) {
            segment.clear();
        }
    }

    // --- Looking from outside -----------------------------------------------------------------

    /**
     * Returns what the map holds and has done.
     *
     * @return sums over all segments
     */
    public CacheStatistics statistics() {
        CacheStatistics sum = segments[0].statistics();
        for (int i = 1; i < segments.length; i++) {
            sum = sum.plus(segments[i].statistics());
        }
        return sum;
    }

    /** Closes the file in order. Waits for writes under way; idempotent. */
    @Override
    public void close() {
        synchronized (owner) {
            if (closed) {
                return;
            }
            closed = true;
        }
        for (Segment segment : segments) {
            segment.seal();
        }
        try {
            map.force();
            FileState.writeClosed(map);
            map.asSlice(0, Layout.PAGE).force();
        } finally {
            arena.close();
            for (Segment segment : segments) {
                segment.unseal();
            }
            owner.close();
        }
    }

    private Key number(long key) {
        return new Key(key, null, file.hash(key));
    }

    private Key bytes(byte[] key) {
        if (Objects.requireNonNull(key, "key").length == 0) {
            throw new IllegalArgumentException("a key has at least one byte");
        }
        long hash = file.hash(key);
        return new Key(hash, key, hash);
    }

    private Segment segment(Key key) {
        return segments[file.segmentOf(key.hash())];
    }
}
