package org.lrwp.download.file;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What is at a path. */
public sealed interface Found {
    /** Nothing that may be seen. */
    record Nothing() implements Found {}

    /**
     * A folder.
     *
     * @param name its last name, empty for the root
     * @param entries what may be seen in it, unordered; empty when listings are off
     * @param whole whether all of that is here
     * @param listed whether listings are on
     */
    record Folder(String name, List<Entry> entries, boolean whole, boolean listed)
            implements Found {
        /** Copies the entries. */
        public Folder {
            entries = List.copyOf(entries);
        }
    }

    /**
     * One line of a listing.
     *
     * @param name its name
     * @param folder whether it is a folder
     * @param size bytes; 0 for a folder
     * @param modified when it was changed last
     */
    record Entry(String name, boolean folder, long size, Instant modified) {}

    /**
     * A file.
     *
     * @param name its last name, as it was asked for
     * @param plain the file itself
     * @param coded what lies beside it, by ending such as {@code .gz}
     */
    record File(String name, FileVersion plain, Map<String, FileVersion> coded) implements Found {
        /** Copies the map. */
        public File {
            coded = Map.copyOf(coded);
        }
    }
}
