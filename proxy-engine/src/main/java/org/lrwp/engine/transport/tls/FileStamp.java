package org.lrwp.engine.transport.tls;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * How a file looked from outside, to see that it has changed.
 *
 * @param file the file
 * @param modified when it was written; null when it is not there
 * @param size its bytes
 * @param identity tells it from another file of that name; null where the system has none
 */
record FileStamp(Path file, @Nullable FileTime modified, long size, @Nullable Object identity) {

    /** Looks at all files that a configuration names. Blocks. */
    static List<FileStamp> of(TlsConfig config) {
        return Stream.of(config.certificate(), config.key(), config.trust(), config.revoked())
                .filter(Objects::nonNull)
                .map(FileStamp::of)
                .toList();
    }

    private static FileStamp of(Path file) {
        try {
            var found = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(file, found.lastModifiedTime(), found.size(), found.fileKey());
        } catch (IOException e) {
            return new FileStamp(file, null, 0, null);
        }
    }
}
