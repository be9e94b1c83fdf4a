package org.lrwp.download.file;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A file as it was when it was looked at.
 *
 * @param path where it is, without symbolic links
 * @param size octets
 * @param modified when it was changed last
 * @param key what tells it from another file of the same name, or null where the system has nothing
 * @param content all of it, when it is kept in memory; has an array, which containers take without
 *     a copy; never changed
 */
public record FileVersion(
        Path path,
        long size,
        Instant modified,
        @Nullable Object key,
        @Nullable ByteBuffer content) {

    /** Looks at a file; blocks. */
    static FileVersion of(Path path, BasicFileAttributes attributes) {
        return new FileVersion(
                path,
                attributes.size(),
                attributes.lastModifiedTime().toInstant(),
                attributes.fileKey(),
                null);
    }

    FileVersion withContent(ByteBuffer octets) {
        return new FileVersion(path, size, modified, key, octets);
    }

    /** Says whether the file is still this one; blocks. */
    boolean isCurrent() {
        try {
            return isSame(of(path, Files.readAttributes(path, BasicFileAttributes.class)));
        } catch (IOException e) {
            return false;
        }
    }

    boolean isSame(FileVersion other) {
        return size == other.size
                && modified.equals(other.modified)
                && Objects.equals(key, other.key);
    }

    /**
     * Returns a strong validator: it changes with the time of change and with the size, and is the
     * same on two machines that hold copies with their times.
     *
     * @return with its quotes
     */
    public String etag() {
        long nanos = TimeUnit.SECONDS.toNanos(modified.getEpochSecond()) + modified.getNano();
        return "\"" + Long.toHexString(nanos) + "-" + Long.toHexString(size) + "\"";
    }
}
