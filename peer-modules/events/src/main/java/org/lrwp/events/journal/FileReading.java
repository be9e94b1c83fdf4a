package org.lrwp.events.journal;

import org.lrwp.events.channel.Epochs;
import org.lrwp.events.channel.Kept;
import org.lrwp.events.event.Event;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads a file from its beginning to the last record that is whole and right. What is behind that
 * is no event: a write that was cut off, or a fault of the disk. For one thread, once.
 */
final class FileReading {
    /** A record above that is none: the largest event is 16 MiB. */
    private static final int LARGEST = 64 << 20;

    private final long wallMillis;
    private final long nanos;
    private final List<Event> events = new ArrayList<>();
    private final Map<String, Long> perChannel = new HashMap<>();
    private final TreeMap<Long, Long> begins = new TreeMap<>();
    private String bootId = "";
    private long forgotten;
    private long last;

    FileReading(long wallMillis, long nanos) {
        this.wallMillis = wallMillis;
        this.nanos = nanos;
    }

    /** Reads on; the position behind the last good record. */
    long read(FileChannel file, long begin) throws IOException {
        long position = begin;
        long size = file.size();
        ByteBuffer head = ByteBuffer.allocate(FileRecord.HEAD);
        while (size - position >= FileRecord.HEAD) {
            fill(file, head.clear(), position);
            int length = head.getInt();
            int checksum = head.getInt();
            if (length < 1 || length > LARGEST || length > size - position - FileRecord.HEAD) {
                return position;
            }
            ByteBuffer content = ByteBuffer.allocate(length);
            fill(file, content, position + FileRecord.HEAD);
            if (FileRecord.checksum(content) != checksum || !take(content)) {
                return position;
            }
            position += FileRecord.HEAD + length;
        }
        return position;
    }

    private static void fill(FileChannel file, ByteBuffer bytes, long begin) throws IOException {
        long position = begin;
        while (bytes.hasRemaining()) {
            int count = file.read(bytes, position);
            if (count < 0) {
                throw new IOException("the file became shorter while it was read");
            }
            position += count;
        }
        bytes.flip();
    }

    private boolean take(ByteBuffer content) {
        try {
            switch (FileRecord.read(content)) {
                case FileRecord.Kept kept -> {
                    long age = Math.max(0, wallMillis - kept.wallMillis()) * 1_000_000L;
                    for (String channel : kept.channels()) {
                        events.add(new Event(kept.id(), channel, kept.data(), nanos - age));
                    }
                    last = Math.max(last, kept.id().sequence());
                }
                case FileRecord.Run run -> {
                    begins.put(run.epoch(), run.behind());
                    bootId = run.bootId();
                    last = Math.max(last, run.behind());
                }
                case FileRecord.Forgot(String channel, long position) -> {
                    last = Math.max(last, position);
                    if (channel.isEmpty()) {
                        forgotten = position;
                    } else {
                        perChannel.put(channel, position);
                    }
                }
            }
            return true;
        } catch (IllegalArgumentException e) {
            // The checksum is right, so somebody has written this: another version, perhaps.
            return false;
        }
    }

    /** The machine as it was started when the last run began; empty when nobody knows. */
    String bootId() {
        return bootId;
    }

    /**
     * What there was.
     *
     * @param mayMiss whether events that clients have seen may be missing at the end
     */
    Restored restored(boolean mayMiss) {
        TreeMap<Long, Long> ends = new TreeMap<>();
        for (Long epoch : begins.keySet()) {
            Map.Entry<Long, Long> next = begins.higherEntry(epoch);
            ends.put(epoch, next == null ? last : next.getValue());
        }
        Epochs epochs = Epochs.begin(ends, wallMillis);
        if (!mayMiss) {
            return new Restored(new Kept(events, forgotten, perChannel), last, last, epochs);
        }
        // One sequence is left out, and nobody remembers it: everybody is told of a gap.
        long gap = last + 1;
        Map<String, Long> all = new HashMap<>(perChannel);
        events.forEach(event -> all.put(event.channel(), gap));
        all.replaceAll((channel, position) -> gap);
        return new Restored(new Kept(events, gap, all), gap, last, epochs);
    }
}
