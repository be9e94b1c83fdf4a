package org.lrwp.cachemap;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Looks at a cache file from outside, also while its owner works on it: reads only, takes no lock,
 * changes nothing. Compares every value with its checksum.
 */
public final class CacheFileInspector {
    private static final int TRIES = 10_000;
    private static final VarHandle SEQUENCE = Layout.LONG.varHandle();

    private final FileHead head;
    private final MemorySegment copy;
    private final List<Long> written = new ArrayList<>();
    private long whole;
    private long bytes;
    private long damaged;
    private long gaps;
    private long torn;

    private final SegmentScan.Finder finder =
            new SegmentScan.Finder() {
                @Override
                public void entry(Ring ring, long at) {
                    if (Entry.state(copy, at) == Entry.LIVE) {
                        count(at);
                    }
                }

                @Override
                public void gap(Ring ring, long from, long to) {
                    gaps++;
                }
            };

    private CacheFileInspector(FileHead head, MemorySegment copy) {
        this.head = head;
        this.copy = copy;
    }

    /**
     * What a file holds.
     *
     * @param size bytes of the file
     * @param segments how many it has
     * @param segmentSize bytes of each
     * @param closed whether its owner closed it in order; false too while it works
     * @param process id of the last owner
     * @param entries that are whole, those included whose time is over
     * @param liveBytes that they take
     * @param usedBytes that are taken, dead entries included
     * @param capacity bytes that entries may take
     * @param damagedEntries whose value does not match its checksum
     * @param damagedStretches of bytes that are no entries
     * @param tornSegments that a process left in the middle of a change, or whose head is damaged
     * @param hits reads that found a value, since the file was made
     * @param misses reads that found none
     * @param written when the entries were written, seconds of the epoch: the oldest, each tenth of
     *     them, the newest; empty without entries
     */
    public record Inspection(
            long size,
            int segments,
            int segmentSize,
            boolean closed,
            long process,
            long entries,
            long liveBytes,
            long usedBytes,
            long capacity,
            long damagedEntries,
            long damagedStretches,
            long tornSegments,
            long hits,
            long misses,
            List<Long> written) {
        /** Copies the list. */
        public Inspection {
            written = List.copyOf(written);
        }

        /**
         * Says whether everything is as it was written.
         *
         * @return whether nothing is damaged; what a killed process left is not damage
         */
        public boolean isSound() {
            return damagedEntries == 0 && damagedStretches == 0;
        }
    }

    /**
     * Looks at a file. Blocks until all its bytes are read.
     *
     * @param file a cache file
     * @return what it holds
     * @throws IOException when it cannot be read or is not a cache file of this format
     */
    public static Inspection inspect(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            FileHead head = head(file, channel);
            MemorySegment map = channel.map(MapMode.READ_ONLY, 0, head.fileSize(), arena);
            MemorySegment copy = arena.allocate(head.segmentSize(), Long.BYTES);
            return new CacheFileInspector(head, copy).look(map);
        }
    }

    private static FileHead head(Path file, FileChannel channel) throws IOException {
        ByteBuffer page = ByteBuffer.allocate(Layout.PAGE);
        channel.read(page, 0);
        FileHead head = FileHead.read(page.flip());
        if (head == null) {
            throw new CacheFileException(
                    file
                            + (FileHead.isOurs(page)
                                    ? ": its head is damaged"
                                    : " is not a cache file"));
        }
        if (head.version() != FileHead.VERSION) {
            throw new CacheFileException(file + " has format version " + head.version());
        }
        if (channel.size() != head.fileSize()) {
            throw new CacheFileException(
                    file + " has " + channel.size() + " bytes, not " + head.fileSize());
        }
        return head;
    }

    private Inspection look(MemorySegment map) {
        FileState state = FileState.read(map);
        long used = 0;
        long capacity = 0;
        long hits = 0;
        long misses = 0;
        for (int i = 0; i < head.segments(); i++) {
            long at = head.segmentAddress(i);
            boolean settled = copy(map, at);
            Rings rings =
                    new Rings(copy, 0, head, Eviction.FIFO, new SlotIndex(head.segmentSize()));
            boolean sound = rings.isStored();
            if (!settled || !sound) {
                torn++;
            }
            new SegmentScan(copy, rings).walk(sound, finder);
            used += rings.usedBytes();
            capacity += rings.main().length() + rings.probation().length();
            hits += Counter.HITS.value(map, at);
            misses += Counter.MISSES.value(map, at);
        }
        return new Inspection(
                head.fileSize(),
                head.segments(),
                head.segmentSize(),
                state.clean(),
                state.process(),
                whole,
                bytes,
                used,
                capacity,
                damaged,
                torn == 0 ? gaps : 0,
                torn,
                hits,
                misses,
                tenths());
    }

    /** Copies a segment between two changes; returns false when it is in the middle of one. */
    private boolean copy(MemorySegment map, long at) {
        for (int i = 0; i < TRIES; i++) {
            long before = (long) SEQUENCE.getAcquire(map, at);
            if ((before & 1) != 0) {
                Thread.onSpinWait();
                continue;
            }
            MemorySegment.copy(map, at, copy, 0, head.segmentSize());
            VarHandle.acquireFence();
            if ((long) SEQUENCE.getOpaque(map, at) == before) {
                return true;
            }
        }
        MemorySegment.copy(map, at, copy, 0, head.segmentSize());
        return false;
    }

    private void count(long at) {
        if (Entry.isWhole(copy, at)) {
            whole++;
            bytes += Entry.size(copy, at);
            written.add(Entry.written(copy, at));
        } else {
            damaged++;
        }
    }

    private List<Long> tenths() {
        if (written.isEmpty()) {
            return List.of();
        }
        Collections.sort(written);
        List<Long> tenths = new ArrayList<>();
        for (int i = 0; i <= 10; i++) {
            tenths.add(written.get((int) ((written.size() - 1) * (long) i / 10)));
        }
        return tenths;
    }
}
