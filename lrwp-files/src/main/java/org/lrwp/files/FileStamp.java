package org.lrwp.files;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;

/**
 * How a file looked from outside, to see that it has changed.
 *
 * @param file the file
 * @param modified when it was written; null when it is not there
 * @param size its bytes
 * @param identity tells it from another file of that name; null where the system has none
 */
public record FileStamp(
        Path file, @Nullable FileTime modified, long size, @Nullable Object identity) {
    /**
     * Looks at a file. Blocks for the disk.
     *
     * @param file any; it may be missing
     * @return equal to the last one while nobody has changed or replaced the file
     */
    public static FileStamp of(Path file) {
        try {
            var found = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(file, found.lastModifiedTime(), found.size(), found.fileKey());
        } catch (IOException missing) {
            return new FileStamp(file, null, 0, null);
        }
    }

    /**
     * Looks at files that belong together. Blocks for the disk.
     *
     * @param files any; they may be missing
     * @return a stamp of each, in their order
     */
    public static List<FileStamp> of(Path... files) {
        return Arrays.stream(files).map(FileStamp::of).toList();
    }
}
