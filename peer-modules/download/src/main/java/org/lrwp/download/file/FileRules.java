package org.lrwp.download.file;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What may be seen of a folder, and how it is kept.
 *
 * @param root the folder; nothing outside it is ever sent
 * @param symlinks whether symbolic links that stay in the root are followed
 * @param index the file that stands for a folder; empty for none
 * @param listing whether folders without that file are listed
 * @param suffixes endings of files that may lie beside a file; empty for none
 * @param cacheSize bytes of files in memory, 0 for none
 * @param cacheEntry bytes of the largest file that is kept
 * @param cacheCheck for how long a file that was looked at counts as unchanged
 */
public record FileRules(
        Path root,
        boolean symlinks,
        String index,
        boolean listing,
        List<String> suffixes,
        long cacheSize,
        int cacheEntry,
        Duration cacheCheck) {
    /** Copies the list. */
    public FileRules {
        suffixes = List.copyOf(suffixes);
    }
}
