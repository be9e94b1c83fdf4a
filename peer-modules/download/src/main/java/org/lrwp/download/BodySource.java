package org.lrwp.download;

import org.jspecify.annotations.Nullable;
import org.lrwp.download.file.OpenFile;
import org.lrwp.download.http.FileAnswer;
import org.lrwp.download.http.Segment;
import org.lrwp.sdk.FileRegion;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** Where the next bytes of one body come from. Of one thread at a time. */
final class BodySource {
    private final @Nullable ByteBuffer memory;
    private final @Nullable OpenFile file;
    private final Deque<Segment> segments;
    private long done;
    private long remaining;
    private final boolean lent;

    /**
     * Creates a source.
     *
     * @param file what is read; null when all of it is in memory
     * @param lent whether parts of the file are lent, and none of its bytes are read
     */
    BodySource(FileAnswer answer, @Nullable OpenFile file, boolean lent) {
        this.lent = lent;
        this.memory = answer.version().content();
        this.file = file;
        this.segments = new ArrayDeque<>(answer.body());
        this.remaining = answer.length();
    }

    boolean isInMemory() {
        return file == null;
    }

    /** Whether the next part of it is there without waiting for the disk. */
    boolean isAtHand() {
        return lent || file == null;
    }

    boolean isLent() {
        return lent;
    }

    /** The next bytes as a part of the file, at least one and at most so many. */
    FileRegion lend(long most, LentPart.Listener listener) {
        OpenFile open = file;
        if (open == null || !(segments.getFirst() instanceof Segment.Part(var range))) {
            throw new IllegalStateException("only a part of a file is lent");
        }
        long count = Math.min(most, remaining);
        LentPart part = new LentPart(open, range.first() + done, count, listener);
        done += count;
        remaining -= count;
        return part;
    }

    long remaining() {
        return remaining;
    }

    /**
     * Returns the next bytes, at least one and at most so many; blocks when they are not in memory.
     * Fails instead of giving the last of a part when the file is not what it was.
     */
    ByteBuffer next(int most) throws IOException {
        Segment segment = segments.getFirst();
        int count = (int) Math.min(most, segment.length() - done);
        ByteBuffer data =
                switch (segment) {
                    case Segment.Text(String text) ->
                            ByteBuffer.wrap(
                                    text.getBytes(StandardCharsets.ISO_8859_1), (int) done, count);
                    case Segment.Part(var range) ->
                            part(range.first() + done, count, done + count == range.length());
                };
        done += count;
        remaining -= count;
        if (done == segment.length()) {
            segments.removeFirst();
            done = 0;
        }
        return data;
    }

    private ByteBuffer part(long at, int count, boolean last) throws IOException {
        ByteBuffer all = memory;
        if (all != null) {
            return all.slice((int) at, count);
        }
        OpenFile open = file;
        if (open == null) {
            throw new IOException("neither file nor memory");
        }
        ByteBuffer bytes = open.read(at, count);
        if (last) {
            open.requireUnchanged();
        }
        return bytes;
    }

    void close() {
        OpenFile open = file;
        if (open != null) {
            open.close();
        }
    }
}
