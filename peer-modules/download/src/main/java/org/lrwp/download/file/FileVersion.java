package org.lrwp.download.file;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * A file as it was when it was opened.
 *
 * @param path where it is, without symbolic links
 * @param state what the system said of it
 * @param sample a check sum of its two ends
 * @param content all of it, when it is kept in memory; has an array, which containers take without
 *     a copy; never changed
 */
public record FileVersion(Path path, FileState state, long sample, @Nullable ByteBuffer content) {

    FileVersion withContent(@Nullable ByteBuffer bytes) {
        return new FileVersion(path, state, sample, bytes);
    }

    /**
     * Returns its size.
     *
     * @return bytes
     */
    public long size() {
        return state.size();
    }

    /**
     * Returns when it was changed last, as whoever owns the file has set it.
     *
     * @return may be in the future
     */
    public Instant modified() {
        return state.modified();
    }

    /**
     * Returns a strong validator (RFC 9110 section 8.8.3): it changes with the time of change, the
     * size, and the two ends of the content, and is the same on two machines that hold copies with
     * their times.
     *
     * @return with its quotes
     */
    public String etag() {
        Instant modified = modified();
        long nanos = TimeUnit.SECONDS.toNanos(modified.getEpochSecond()) + modified.getNano();
        return "\""
                + Long.toHexString(nanos)
                + "-"
                + Long.toHexString(size())
                + "-"
                + Long.toHexString(sample)
                + "\"";
    }
}
