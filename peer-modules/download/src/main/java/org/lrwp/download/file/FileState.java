package org.lrwp.download.file;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/**
 * What the system says of a file.
 *
 * @param size bytes
 * @param modified when its content was changed last, as whoever owns the file has set it
 * @param changed when the system has seen the last change of any kind, which nobody can set; the
 *     same as {@code modified} where the system does not say
 * @param key what tells it from another file of the same name, or null where the system has nothing
 */
public record FileState(long size, Instant modified, Instant changed, @Nullable Object key) {
    /** Two changes in less time than this may have the same times: clocks of file systems tick. */
    private static final Duration TICK = Duration.ofSeconds(2);

    /** Looks at a file; blocks. A link is not followed, and is no file. */
    static FileState at(Path path) throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return of(
                    Files.readAttributes(
                            path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        }
        Map<String, Object> found =
                Files.readAttributes(
                        path,
                        "unix:size,lastModifiedTime,ctime,fileKey,isRegularFile",
                        LinkOption.NOFOLLOW_LINKS);
        requireFile(Boolean.TRUE.equals(found.get("isRegularFile")));
        return new FileState(
                (long) Objects.requireNonNull(found.get("size")),
                time(found.get("lastModifiedTime")),
                time(found.get("ctime")),
                found.get("fileKey"));
    }

    private static FileState of(BasicFileAttributes found) throws IOException {
        requireFile(found.isRegularFile());
        Instant modified = found.lastModifiedTime().toInstant();
        return new FileState(found.size(), modified, modified, found.fileKey());
    }

    private static void requireFile(boolean regular) throws IOException {
        if (!regular) {
            throw new ReplacedException("it is no file any more");
        }
    }

    private static Instant time(@Nullable Object value) {
        return ((FileTime) Objects.requireNonNull(value)).toInstant();
    }

    /** Says whether a later change was bound to show, when this was seen at that time. */
    boolean isSettled(Instant seen) {
        return changed.isBefore(seen.minus(TICK));
    }

    boolean isSameFile(FileState other) {
        return key != null && key.equals(other.key);
    }

    /** Says whether nothing shows that it was written to; a new name or mode is no such sign. */
    boolean hasSameContent(FileState other) {
        return size == other.size && modified.equals(other.modified);
    }
}
