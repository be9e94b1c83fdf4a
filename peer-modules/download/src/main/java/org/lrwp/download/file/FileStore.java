package org.lrwp.download.file;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.stats.CacheStats;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The files of a folder. What was found is kept for a moment without looking again, and small files
 * are kept in memory as long as they are the same on the disk; both within a bound. Thread-safe.
 */
public final class FileStore {
    /** What an entry weighs besides the bytes of its files. */
    private static final int ENTRY_WEIGHT = 1024;

    /** So often a file may be replaced while it is looked at before that is given up. */
    private static final int MOST_LOOKS = 20;

    private record Kept(Found.File file, long lookedAt, Instant seen) {
        int weight() {
            long bytes = ENTRY_WEIGHT + weightOf(file.plain());
            for (FileVersion version : file.coded().values()) {
                bytes += weightOf(version);
            }
            return (int) Math.min(Integer.MAX_VALUE, bytes);
        }

        /** Returns a file unless it may have been changed since with its times as they were. */
        @Nullable FileVersion inMemory(Path path) {
            List<FileVersion> versions = new ArrayList<>(file.coded().values());
            versions.add(file.plain());
            for (FileVersion version : versions) {
                if (version.content() != null && version.path().equals(path)) {
                    return version.state().isSettled(seen) ? version : null;
                }
            }
            return null;
        }

        private static long weightOf(FileVersion version) {
            ByteBuffer content = version.content();
            return content == null ? 0 : content.capacity();
        }
    }

    private final FileRules rules;
    private final FileFinder finder;
    private final OpenFiles files;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Cache<String, Kept> cache;

    /**
     * Opens a folder; blocks.
     *
     * @param rules what may be seen, and how it is kept
     * @param nanoTime a clock like {@code System::nanoTime}
     * @param clock the time of day, as the file system has it
     * @throws IOException when the folder cannot be read
     */
    public FileStore(FileRules rules, LongSupplier nanoTime, InstantSource clock)
            throws IOException {
        this.rules = rules;
        this.finder = new FileFinder(rules);
        this.nanoTime = nanoTime;
        this.clock = clock;
        this.files = new OpenFiles(clock);
        this.cache =
                Caffeine.newBuilder()
                        .maximumWeight(rules.cacheSize())
                        .weigher((String path, Kept kept) -> kept.weight())
                        .executor(Runnable::run)
                        .recordStats()
                        .build();
    }

    /**
     * Returns a file that was looked at a moment ago, without touching the disk; any thread. Its
     * content and what is said of it are of that look, whatever has come to its place since.
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
     * @param path the path of a request, percent-decoded once, one byte per character
     * @return what is there, for the caller to close
     * @throws ReplacedException when it is replaced again and again
     * @throws IOException when the disk fails
     */
    public Look look(String path) throws IOException {
        for (int i = 1; ; i++) {
            try {
                return lookOnce(path);
            } catch (ReplacedException e) {
                if (i == MOST_LOOKS) {
                    throw e;
                }
            }
        }
    }

    private Look lookOnce(String path) throws IOException {
        long now = nanoTime.getAsLong();
        Instant seen = clock.instant();
        Kept before = cache.getIfPresent(path);
        List<OpenFile> held = new ArrayList<>();
        Look look = null;
        try {
            Found found = finder.find(path, file -> take(file, before, held));
            if (!(found instanceof Found.File file)) {
                cache.invalidate(path);
            } else if (rules.cacheSize() > 0) {
                cache.put(path, new Kept(file, now, seen));
            }
            look = new Look(found, held, files);
            return look;
        } finally {
            if (look == null) {
                held.forEach(OpenFile::close);
            }
        }
    }

    /** Takes a file from memory when it is the same on the disk; else opens it, and may read it. */
    private FileVersion take(Path path, @Nullable Kept before, List<OpenFile> held)
            throws IOException {
        FileVersion known = before == null ? null : before.inMemory(path);
        if (known != null && isStill(known)) {
            return known;
        }
        OpenFile file = files.open(path);
        held.add(file);
        FileVersion version = file.version();
        if (version.size() > rules.cacheEntry() || version.size() > rules.cacheSize() / 2) {
            return version;
        }
        int size = (int) version.size();
        try {
            ByteBuffer content = file.read(0, size);
            file.requireUnchanged();
            return version.withContent(content);
        } catch (EOFException | FileFaultException e) {
            throw new ReplacedException("the file was changed while it was read");
        }
    }

    private static boolean isStill(FileVersion known) throws IOException {
        try {
            return FileState.at(known.path()).equals(known.state());
        } catch (NoSuchFileException e) {
            throw new ReplacedException("the file has gone");
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
     * @return bytes in use, and how many requests found what they wanted there
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
     * @param bytes in use
     * @param hits look-ups that found a file
     * @param misses look-ups that did not
     */
    public record Memory(long bytes, long hits, long misses) {}
}
