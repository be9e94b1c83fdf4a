package org.lrwp.download.file;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.stats.CacheStats;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The files of a folder. What was found is kept for a moment without looking again, and small files
 * are kept in memory as long as they are the same on the disk; both within a bound. Thread-safe.
 */
public final class FileStore {
    /** What an entry weighs besides the octets of its files. */
    private static final int ENTRY_WEIGHT = 1024;

    private record Kept(Found.File file, long lookedAt) {
        int weight() {
            long octets = ENTRY_WEIGHT + weightOf(file.plain());
            for (FileVersion version : file.coded().values()) {
                octets += weightOf(version);
            }
            return (int) Math.min(Integer.MAX_VALUE, octets);
        }

        private static long weightOf(FileVersion version) {
            ByteBuffer content = version.content();
            return content == null ? 0 : content.capacity();
        }
    }

    private final FileRules rules;
    private final FileFinder finder;
    private final OpenFiles files = new OpenFiles();
    private final LongSupplier nanoTime;
    private final Cache<String, Kept> cache;

    /**
     * Opens a folder; blocks.
     *
     * @param rules what may be seen, and how it is kept
     * @param nanoTime a clock like {@code System::nanoTime}
     * @throws IOException when the folder cannot be read
     */
    public FileStore(FileRules rules, LongSupplier nanoTime) throws IOException {
        this.rules = rules;
        this.finder = new FileFinder(rules);
        this.nanoTime = nanoTime;
        this.cache =
                Caffeine.newBuilder()
                        .maximumWeight(rules.cacheSize())
                        .weigher((String path, Kept kept) -> kept.weight())
                        .executor(Runnable::run)
                        .recordStats()
                        .build();
    }

    /**
     * Returns a file that was looked at a moment ago, without touching the disk; any thread.
     *
     * @param path the path of a request
     * @return the file, or null when {@link #look} has to tell
     */
    public Found.@Nullable File recent(String path) {
        Kept kept = cache.getIfPresent(path);
        if (kept == null || nanoTime.getAsLong() - kept.lookedAt >= rules.cacheCheck().toNanos()) {
            return null;
        }
        return kept.file;
    }

    /**
     * Looks at what is there now; blocks, for disk threads.
     *
     * @param path the path of a request, percent-decoded once, one octet per character
     * @return what is there
     * @throws IOException when the disk fails
     */
    public Found look(String path) throws IOException {
        long now = nanoTime.getAsLong();
        Found found = finder.find(path);
        if (!(found instanceof Found.File file)) {
            cache.invalidate(path);
            return found;
        }
        Kept before = cache.getIfPresent(path);
        Found.File known = before == null ? null : before.file;
        Map<String, FileVersion> coded = new HashMap<>();
        for (Map.Entry<String, FileVersion> one : file.coded().entrySet()) {
            FileVersion old = known == null ? null : known.coded().get(one.getKey());
            coded.put(one.getKey(), filled(one.getValue(), old));
        }
        FileVersion plain = filled(file.plain(), known == null ? null : known.plain());
        Found.File filled = new Found.File(file.name(), plain, coded);
        if (rules.cacheSize() > 0) {
            cache.put(path, new Kept(filled, now));
        }
        return filled;
    }

    private FileVersion filled(FileVersion version, @Nullable FileVersion before)
            throws IOException {
        if (before != null && before.content() != null && before.isSame(version)) {
            return before;
        }
        if (version.size() > rules.cacheEntry() || version.size() > rules.cacheSize() / 2) {
            return version;
        }
        try (OpenFile file = files.open(version)) {
            int size = (int) version.size();
            return version.withContent(size == 0 ? ByteBuffer.allocate(0) : file.read(0, size));
        }
    }

    /**
     * Opens a file that was found; blocks, for disk threads.
     *
     * @param version what was found
     * @return the file, for the caller to close
     * @throws IOException when it is not that file any more
     */
    public OpenFile open(FileVersion version) throws IOException {
        return files.open(version);
    }

    /**
     * Joins those who read a file at present; any thread.
     *
     * @param version what was found
     * @return the file, for the caller to close; null when nobody has it open
     */
    public @Nullable OpenFile joinOpen(FileVersion version) {
        return files.joinOpen(version);
    }

    /**
     * Returns how many files are open.
     *
     * @return 0 or more
     */
    public int openFiles() {
        return files.count();
    }

    /**
     * Returns how the memory does.
     *
     * @return octets in use, and how many requests found what they wanted there
     */
    public Memory memory() {
        CacheStats stats = cache.stats();
        long weight =
                cache.policy()
                        .eviction()
                        .map(eviction -> eviction.weightedSize().orElse(0))
                        .orElse(0L);
        return new Memory(weight, stats.hitCount(), stats.missCount());
    }

    /**
     * How the memory does.
     *
     * @param octets in use
     * @param hits look-ups that found a file
     * @param misses look-ups that did not
     */
    public record Memory(long octets, long hits, long misses) {}
}
